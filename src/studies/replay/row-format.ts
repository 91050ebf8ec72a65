// The format of rows that DuckDB reads: of a Parquet file, or of a SELECT. Their names are known before their lines.
import { USUAL, type LogFormat } from "./columns.ts";
import { layoutOfColumns } from "./separated.ts";

export const ROW_SEPARATOR = "\t";

/** While rows are read: what DuckDB reports, in one line. */
export class RowError extends Error {}

/** Found by the first bytes of a file, and not by lines, of which it has none. */
export const PARQUET_FORMAT: LogFormat = {
  name: "parquet",
  title: "Parquet, by an optional package",
  recognises: () => false,
  layoutOf: () => ({
    columns: [],
    readerOf: (wanted) => ({
      source: new Uint8Array(0),
      spans: new Int32Array(2 * wanted.length),
      read: () => false,
    }),
  }),
  ...USUAL,
};

export const SQL_FORMAT: LogFormat = { ...PARQUET_FORMAT, name: "sql", title: "rows of a SELECT" };

/** What a line of this format is called. */
export const lineNoun = (format: string): "row" | "line" =>
  format === PARQUET_FORMAT.name || format === SQL_FORMAT.name ? "row" : "line";

/** `wanted`: rows have the columns of another format, such as those of Cloudflare. */
export function formatOfRows(
  own: LogFormat,
  columns: readonly string[],
  wanted: LogFormat | null,
): LogFormat {
  const { time, duration, fields, header } = wanted ?? own;
  return {
    name: own.name,
    title: own.title,
    recognises: () => true,
    layoutOf: () => layoutOfColumns(columns, ROW_SEPARATOR),
    time,
    duration,
    fields,
    header,
  };
}
