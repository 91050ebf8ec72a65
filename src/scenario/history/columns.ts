// The columns of a history's requests as data: what kind of numbers each holds, and what a record of
// the file leaves out because it goes without saying.
import type { Requests } from "../history.ts";

export type ColumnName = Exclude<keyof Requests, "length">;
type Kind = "time" | "number" | "uint8" | "uint16" | "int16" | "uint32" | "int32";

export interface Column {
  readonly name: ColumnName;
  readonly kind: Kind;
  /** A number, or the column that usually says the same. */
  readonly usual: number | ColumnName;
  /** What the numbers count through, where they are places in a list of the header. */
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

/** A column that `usual` names stands before the one that names it. */
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
];

type Cells = Float64Array | Uint8Array | Uint16Array | Int16Array | Uint32Array | Int32Array;
export type Table = Record<ColumnName, Cells>;

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
  time: -Number.MAX_VALUE,
  number: -Infinity,
  uint8: 0,
  uint16: 0,
  int16: -32_768,
  uint32: 0,
  int32: -2_147_483_648,
};
const MOST: Readonly<Record<Kind, number>> = {
  time: Number.MAX_VALUE,
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
  (kind === "time" || kind === "number" || Number.isInteger(value));

export const emptyTable = (length: number): Table =>
  Object.fromEntries(COLUMNS.map(({ name, kind }) => [name, new ARRAYS[kind](length)])) as Table;

/** The same rows with room for `length`, or cut to it. */
export function resized(table: Table, length: number): Table {
  const next = emptyTable(length);
  for (const { name } of COLUMNS) next[name].set(table[name].subarray(0, length));
  return next;
}

/** The kinds of the columns are those that `Requests` declares; a test holds the two together. */
export const asRequests = (table: Table, length: number): Requests => ({
  length,
  ...(resized(table, length) as unknown as Omit<Requests, "length">),
});
