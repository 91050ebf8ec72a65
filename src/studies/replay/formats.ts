// All formats of logs, in the order in which they are tried.
import type { LogFormat } from "./columns.ts";
import { CSV_FORMAT, W3C_FORMATS } from "./column-formats.ts";
import { JSON_FORMATS } from "./json-formats.ts";
import { PARQUET_FORMAT } from "./row-format.ts";
import { TEXT_FORMATS } from "./text-formats.ts";

export const FORMATS: readonly LogFormat[] = [
  ...W3C_FORMATS,
  ...JSON_FORMATS,
  ...TEXT_FORMATS,
  CSV_FORMAT, // the last format of lines: any line with a comma might be names in CSV
  PARQUET_FORMAT,
];

export const FORMAT_NAMES = FORMATS.map(({ name }) => name);

/** The format that most of the first lines have, since any line may be damaged. Null: none matches. */
export function formatIn(head: readonly string[]): LogFormat | null {
  // Only the lines before the first request, taken together, show a W3C format.
  const named = W3C_FORMATS.find(({ recognises }) => recognises(head));
  if (named !== undefined) return named;
  const lines = new Map<LogFormat, number>();
  for (const line of head) {
    const format = FORMATS.find(({ recognises }) => recognises([line]));
    if (format !== undefined) lines.set(format, (lines.get(format) ?? 0) + 1);
  }
  const most = Math.max(0, ...lines.values());
  return [...lines].find(([, count]) => count === most)?.[0] ?? null;
}
