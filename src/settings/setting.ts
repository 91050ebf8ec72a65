// What a setting is: how it is read, what it is otherwise, and what help says of it.
import type { Shape, Json } from "../reading/shape.ts";

interface About {
  readonly value: string; // as help calls it
  readonly doc: string;
  readonly flag?: string; // on the command line, without the dashes
  readonly isFile?: boolean; // a path, counted from the file that says it
  readonly shown?: (said: string) => string; // of what holds a secret
  readonly takesEffect?: "reload"; // the rest waits for a start
}

export interface Setting<out T> extends About {
  readonly shape: Shape<T>;
  readonly otherwise: Json; // as a file would say it; null: not set
}

type Written = Exclude<Json, null>;

export function setting<T>(shape: Shape<T>, otherwise: null, about: About): Setting<T | null>;
export function setting<T>(shape: Shape<T>, otherwise: Written, about: About): Setting<T>;
export function setting<T>(shape: Shape<T>, otherwise: Json, about: About): Setting<T | null> {
  return { shape, otherwise, ...about };
}

export const hidden = (): string => "(hidden)";
