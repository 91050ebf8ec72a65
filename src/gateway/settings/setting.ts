// A setting: how it is read, its default, and its help.
import type { Shape, Json } from "../../kit/reading/shape.ts";

interface SettingFlag {
  readonly name: string; // without the dashes
  readonly value: string; // its placeholder in help
  readonly help: string; // without the default
}

interface SettingDetails {
  readonly doc: string;
  readonly flag?: SettingFlag;
  readonly isFile?: boolean; // a path, relative to the file that sets it
  readonly redact?: (said: string) => string; // of a setting with a secret
  readonly takesEffect?: "reload"; // unset: at the next start
}

export interface Setting<out T> extends SettingDetails {
  readonly shape: Shape<T>;
  readonly fallback: Json; // as in a file; null: unset
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
