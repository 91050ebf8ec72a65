// One table holds the budgets of one space and one kind of record, as columns.
import type { CounterRows } from "../core/algorithm/counter.ts";
import type { DebtRows } from "../core/algorithm/debt.ts";
import { clear, newest, stampRows, type StampRows } from "../core/algorithm/stamps.ts";
import type { TwoWindowRows } from "../core/algorithm/two-windows.ts";
import type { Algorithm } from "../core/config.ts";
import { forgettableUs, type Allowance, type SmoothingRule } from "../core/smoothing.ts";
import { assign, drop, rowsFor, underHand, type Rows } from "./rows.ts";

export interface CounterTable extends CounterRows {
  readonly kind: "counter";
  readonly perUs: number;
  readonly rows: Rows;
}

export interface DebtTable extends DebtRows {
  readonly kind: "debt";
  readonly perUs: number;
  readonly rows: Rows;
}

export interface TwoWindowTable extends TwoWindowRows {
  readonly kind: "two_windows";
  readonly perUs: number;
  readonly rows: Rows;
}

export interface LogTable {
  readonly kind: "log";
  readonly perUs: number;
  readonly rows: Rows;
  readonly stamps: StampRows;
  readonly allowances: Map<number, Kept>; // by row; only where a limit is smoothed
  readonly marks: Map<number, number>; // by row: blocked until (ALG-C5)
  readonly bounds: Map<number, number>; // by row: the largest rate that used this bounded log
}

interface Kept {
  readonly rule: SmoothingRule;
  readonly allowance: Allowance;
}

export type Table = CounterTable | DebtTable | TwoWindowTable | LogTable;

export function kindOf(algorithm: Algorithm): Table["kind"] {
  switch (algorithm) {
    case "fixed_window":
    case "drl":
      return "counter";
    case "token_bucket":
    case "gcra":
      return "debt";
    case "sliding_window_counter":
      return "two_windows";
    case "sliding_log":
    case "non_transactional":
    case "sentinel":
    case "bounded_log":
      return "log";
  }
}

const FIRST_ROWS = 1;

export function newTable(kind: Table["kind"], perUs: number): Table {
  const rows = rowsFor(FIRST_ROWS);
  const column = (): Float64Array => new Float64Array(FIRST_ROWS);
  switch (kind) {
    case "counter":
      return {
        kind,
        perUs,
        rows,
        startUs: column().fill(Number.NEGATIVE_INFINITY),
        count: column(),
      };
    case "debt":
      return { kind, perUs, rows, debt: column(), atUs: column() };
    case "two_windows":
      return { kind, perUs, rows, startUs: column(), previous: column(), current: column() };
    case "log":
      return {
        kind,
        perUs,
        rows,
        stamps: stampRows(FIRST_ROWS),
        allowances: new Map(),
        marks: new Map(),
        bounds: new Map(),
      };
  }
}

/** The row of an identity, made where it is new. Looks at one other row, and at two when it makes one. */
export function open(table: Table, identity: string, nowUs: number): number {
  const known = table.rows.byIdentity.get(identity);
  sweep(table, nowUs);
  if (known !== undefined && table.rows.identities[known] === identity) return known;
  sweep(table, nowUs);
  let row = assign(table.rows, identity);
  if (row < 0) {
    enlarge(table);
    row = assign(table.rows, identity);
  }
  return row;
}

/** A row is kept this long after it has run out, for gateways whose clocks are behind. */
const CLOCK_SLACK_US = 1_000_000;

function sweep(table: Table, nowUs: number): void {
  const row = underHand(table.rows);
  if (row < 0 || emptyFromUs(table, row) + CLOCK_SLACK_US > nowUs) return;
  erase(table, row);
  drop(table.rows, row);
}

/** From when on the row says the same as no row. */
function emptyFromUs(table: Table, row: number): number {
  switch (table.kind) {
    case "counter":
      return table.startUs[row]! + table.perUs;
    case "debt":
      return table.atUs[row]! + table.perUs; // a debt never exceeds one window's worth
    case "two_windows":
      return table.startUs[row]! + 2 * table.perUs;
    case "log": {
      const kept = table.allowances.get(row);
      const log = Math.max(newest(table.stamps, row, 1) + table.perUs, table.marks.get(row) ?? 0);
      return kept === undefined
        ? log
        : Math.max(log, forgettableUs(kept.rule, kept.allowance, table.perUs));
    }
  }
}

function erase(table: Table, row: number): void {
  switch (table.kind) {
    case "counter":
      table.startUs[row] = Number.NEGATIVE_INFINITY;
      table.count[row] = 0;
      return;
    case "debt":
      table.debt[row] = 0;
      table.atUs[row] = 0;
      return;
    case "two_windows":
      table.startUs[row] = 0;
      table.previous[row] = 0;
      table.current[row] = 0;
      return;
    case "log":
      clear(table.stamps, row);
      table.allowances.delete(row);
      table.marks.delete(row);
      table.bounds.delete(row);
  }
}

function enlarge(table: Table): void {
  const capacity =
    table.rows.capacity < 1024 ? table.rows.capacity * 4 : Math.ceil(table.rows.capacity * 1.5);
  table.rows.capacity = capacity;
  const doubles = (column: Float64Array, empty = 0): Float64Array => {
    const larger = new Float64Array(capacity).fill(empty);
    larger.set(column);
    return larger;
  };
  const words = (column: Uint32Array): Uint32Array => {
    const larger = new Uint32Array(capacity);
    larger.set(column);
    return larger;
  };
  switch (table.kind) {
    case "counter":
      table.startUs = doubles(table.startUs, Number.NEGATIVE_INFINITY);
      table.count = doubles(table.count);
      return;
    case "debt":
      table.debt = doubles(table.debt);
      table.atUs = doubles(table.atUs);
      return;
    case "two_windows":
      table.startUs = doubles(table.startUs);
      table.previous = doubles(table.previous);
      table.current = doubles(table.current);
      return;
    case "log":
      table.stamps.offset = doubles(table.stamps.offset);
      table.stamps.size = words(table.stamps.size);
      table.stamps.head = words(table.stamps.head);
      table.stamps.count = words(table.stamps.count);
  }
}
