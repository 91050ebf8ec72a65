// A setting: how it is read, its default, and its help.
import type { Shape, Json } from "../../kit/reading/shape.ts";

interface SettingFlag {
  readonly name: string; // without dashes
  readonly value: string; // the placeholder for the value in help
  readonly help: string; // without the default, which help adds
}

interface SettingDetails {
  readonly doc: string;
  readonly flag?: SettingFlag;
  readonly isFile?: boolean; // the value is a path; in a settings file, it is relative to that file
  readonly redact?: (said: string) => string; // returns the value without its secret, for output
  readonly takesEffect?: "reload"; // unset: it takes effect at the next start
}

export interface Setting<out T> extends SettingDetails {
  readonly shape: Shape<T>;
  readonly fallback: Json; // the default, in the form of a file; null: unset
}

type Written = Exclude<Json, null>;

export function setting<T>(
  shape: Shape<T>,
  fallback: null,
  about: SettingDetails,
): Setting<T | null>;
export function setting<T>(shape: Shape<T>, fallback: Written, about: SettingDetails): Setting<T>;
export function setting<T>(
  shape: Shape<T>,
  fallback: Json,
  about: SettingDetails,
): Setting<T | null> {
  return { shape, fallback, ...about };
}

export const hideSecret = (): string => "(hidden)";
