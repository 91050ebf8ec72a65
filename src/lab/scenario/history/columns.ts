// The columns of a history's requests as data: the type of each column's numbers, and the usual values that a record in
// a file omits.
import type { Requests } from "../history.ts";

type ColumnName = Exclude<keyof Requests, "length">;
type Kind = "time" | "number" | "uint8" | "uint16" | "int16" | "uint32" | "int32";

export interface Column {
  readonly name: ColumnName;
  readonly kind: Kind;
  /** The usual value: a number, or the column that usually has the same value. */
  readonly usual: number | ColumnName;
  /** The list in the header that the numbers are indexes of. */
  readonly within:
    | "flows"
    | "keys"
    | "apis"
    | "budgets"
    | "bodies"
    | "fields"
    | "addresses"
    | "reasons"
    | null;
}

const column = (
  name: ColumnName,
  kind: Kind,
  usual: number | ColumnName,
  within: Column["within"] = null,
): Column => ({ name, kind, usual, within });

/** Sorted so that each column comes after the column that its `usual` names. */
export const COLUMNS: readonly Column[] = [
  column("plannedUs", "time", 0),
  column("sentUs", "time", "plannedUs"),
  column("fromUs", "time", "sentUs"),
  column("toUs", "time", "fromUs"),
  column("stampUs", "time", "fromUs"),
  column("answeredUs", "time", "toUs"),
  column("status", "uint16", 200),
  column("reason", "uint8", 0, "reasons"),
  column("flow", "uint16", 0, "flows"),
  column("stage", "int16", -1),
  column("client", "uint32", 0),
  column("address", "int32", -1, "addresses"),
  column("attempt", "uint16", 0),
  column("gateway", "uint16", 0),
  column("fleet", "uint16", 1),
  column("key", "int32", -1, "keys"),
  column("api", "int32", -1, "apis"),
  column("budget", "int32", -1, "budgets"),
  column("body", "int32", -1, "bodies"),
  column("retryAfterS", "number", Number.NaN),
  column("limit", "number", Number.NaN),
  column("remaining", "number", Number.NaN),
  column("resetUs", "number", Number.NaN),
  column("policy", "int32", -1, "fields"),
  column("standing", "int32", -1, "fields"),
  column("commandsBefore", "uint16", 0),
  column("commandsAll", "uint16", "commandsBefore"),
  column("delayUs", "time", 0),
  column("cost", "uint16", 1),
];

type Cells = Float64Array | Uint8Array | Uint16Array | Int16Array | Uint32Array | Int32Array;
export type HistoryTable = Record<ColumnName, Cells>;

const ARRAYS = {
  time: Float64Array,
  number: Float64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
} as const;

const LEAST: Readonly<Record<Kind, number>> = {
  time: Number.MIN_SAFE_INTEGER,
  number: -Infinity,
  uint8: 0,
  uint16: 0,
  int16: -32_768,
  uint32: 0,
  int32: -2_147_483_648,
};
const MOST: Readonly<Record<Kind, number>> = {
  time: Number.MAX_SAFE_INTEGER,
  number: Infinity,
  uint8: 255,
  uint16: 65_535,
  int16: 32_767,
  uint32: 4_294_967_295,
  int32: 2_147_483_647,
};

export const fits = ({ kind }: Column, value: unknown): value is number =>
  typeof value === "number" &&
  value >= LEAST[kind] &&
  value <= MOST[kind] &&
  (kind === "number" || Number.isInteger(value));

export const emptyTable = (length: number): HistoryTable =>
  Object.fromEntries(
    COLUMNS.map(({ name, kind }) => [name, new ARRAYS[kind](length)]),
  ) as HistoryTable;

/** A copy of the rows, with space for `length` rows or cut to that length. */
export function resizeTable(table: HistoryTable, length: number): HistoryTable {
  const next = emptyTable(length);
  for (const { name } of COLUMNS) next[name].set(table[name].subarray(0, length));
  return next;
}

/** The types of the columns are those that `Requests` declares; a test compares the two. */
export const asRequests = (table: HistoryTable, length: number): Requests => ({
  length,
  ...(resizeTable(table, length) as unknown as Omit<Requests, "length">),
});
