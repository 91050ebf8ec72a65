// A setting: how it is read, its default, and its help.
import type { Shape, Json } from "../../kit/reading/shape.ts";

interface SettingFlag {
  readonly name: string; // without dashes
  readonly value: string; // the placeholder of its value in help
  readonly help: string; // without the default, which help adds
}

interface SettingDetails {
  readonly doc: string;
  readonly flag?: SettingFlag;
  readonly isFile?: boolean; // its value is a path, relative to the file that contains it
  readonly redact?: (said: string) => string; // hides the secret in its value
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
