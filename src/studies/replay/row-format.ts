// The format of rows that DuckDB reads, from Parquet or by a SELECT. The column names are known before the first line.
import { USUAL, type LogFormat } from "./columns.ts";
import { layoutOfColumns } from "./separated.ts";

export const ROW_SEPARATOR = "\t";

/** An error that DuckDB reports while rows are read, in one line. */
export class RowError extends Error {}

/** Parquet is recognised by its first bytes, because it has no lines. */
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

/** The word for a line of this format. */
export const lineNoun = (format: string): "row" | "line" =>
  format === PARQUET_FORMAT.name || format === SQL_FORMAT.name ? "row" : "line";

/** The format of rows with these columns. `wanted`: the format whose columns they are, such as Cloudflare's. */
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
