// All formats of logs, in the order in which they are tried.
import type { LogFormat } from "./columns.ts";
import { CSV_FORMAT, W3C_FORMATS } from "./column-formats.ts";
import { JSON_FORMATS } from "./json-formats.ts";
import { TEXT_FORMATS } from "./text-formats.ts";

export const FORMATS: readonly LogFormat[] = [
  ...W3C_FORMATS,
  ...JSON_FORMATS,
  ...TEXT_FORMATS,
  CSV_FORMAT, // last: any line with a comma might be its names
];

export const FORMAT_NAMES = FORMATS.map(({ name }) => name);

/** Null: no format has such lines. */
export const formatIn = (head: readonly string[]): LogFormat | null =>
  FORMATS.find(({ recognises }) => recognises(head)) ?? null;
