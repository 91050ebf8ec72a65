// A table holds the budgets of one space, all of one kind, in typed arrays.
import { COUNTER_WIDTH, endUs } from "../algorithms/fixed-window/rule.ts";
import { emptyFromUs as leftUs, QUEUE_WIDTH } from "../algorithms/leaky-bucket/rule.ts";
import { DEBT_WIDTH, paidOffByUs } from "../algorithms/token-bucket/rule.ts";
import {
  clear,
  enlargeStampRows,
  newest,
  stampRows,
  type StampRows,
} from "../algorithms/sliding-log/stamps.ts";
import { emptyUs, TWO_WINDOWS_WIDTH } from "../algorithms/sliding-window-counter/rule.ts";
import { client, isPassing, ALL_CLIENTS, type Client } from "../core/client.ts";
import type { AllowanceRecord } from "../core/smoothing.ts";
import {
  accessCount,
  assign,
  drop,
  hold,
  findCachedRow,
  rowsFor,
  SWEEP_EVERY,
  advanceHand,
  type Rows,
} from "./rows.ts";

const SWEPT = 8; // rows in one sweep

/**
 * The tables of one store, which sweep each other: when a table sweeps its own rows, it also sweeps some of the next
 * table. Otherwise a table that is no longer used, because `per` was changed, would retain its rows for ever.
 */
export interface Ring {
  readonly tables: BudgetTable[];
  readonly accessCounts: number[]; // of each table, at its last sweep by another table
  hand: number;
}

export const newRing = (): Ring => ({ tables: [], accessCounts: [], hand: 0 });

/** Records of a fixed width: a counter, a debt, a queue, two windows. */
export interface CellTable {
  readonly kind: "counter" | "debt" | "queue" | "two_windows";
  readonly perUs: number;
  readonly rows: Rows;
  readonly ring: Ring;
  readonly width: number;
  lastsUs: number; // for debts: microseconds from the last request until the debt is 0
  readonly blank: number; // the value of a cell in an unused record
  readonly extras: Extras | null;
  cells: Float64Array;
}

export interface LogTable {
  readonly kind: "log";
  readonly perUs: number;
  readonly rows: Rows;
  readonly ring: Ring;
  readonly stamps: StampRows;
  readonly allowances: Map<number, AllowanceRecord>; // by row; only for smoothed limits
  readonly marks: Map<number, SentinelMark>; // by row; only for sentinels (ALG-C5)
  readonly bounds: Map<number, number>; // by row: the largest rate that used this bounded log
  readonly extras: Extras | null;
}

/** Additional state of an imitation by row, the least recently used row first. Rows of these tables are never swept. */
export type Extras = Map<number, Extra>;

export interface Extra {
  untilUs: number; // the client is blocked until then
  startUs: number; // when the first or the present window began
  count: number; // in the present window
  rate: number; // at the last request
}

/** The sentinel's last write: its mark, and the allowance under which the mark was set. */
export interface SentinelMark {
  readonly untilUs: number; // attempts are refused until then; 0: no attempt is refused
  readonly whole: number; // floor of the allowance at that write
}

export type BudgetTable = CellTable | LogTable;

const FIRST_ROWS = 1;
const WIDTHS = {
  counter: COUNTER_WIDTH,
  debt: DEBT_WIDTH,
  queue: QUEUE_WIDTH,
  two_windows: TWO_WINDOWS_WIDTH,
};

export function newTable(
  kind: BudgetTable["kind"],
  perUs: number,
  ring: Ring,
  isImitated: boolean = false,
): BudgetTable {
  const table = emptyTable(kind, perUs, ring, isImitated ? new Map() : null);
  ring.tables.push(table);
  return table;
}

function emptyTable(
  kind: BudgetTable["kind"],
  perUs: number,
  ring: Ring,
  extras: Extras | null,
): BudgetTable {
  const rows = rowsFor(FIRST_ROWS);
  if (kind === "log")
    return {
      kind,
      perUs,
      rows,
      ring,
      stamps: stampRows(),
      allowances: new Map(),
      marks: new Map(),
      bounds: new Map(),
      extras,
    };
  const width = WIDTHS[kind];
  // An empty counter has a window that began at minus infinity. Empty records of other kinds are zeros.
  const blank = kind === "counter" ? Number.NEGATIVE_INFINITY : 0;
  return {
    kind,
    perUs,
    rows,
    ring,
    width,
    lastsUs: perUs,
    blank,
    extras,
    cells: new Float64Array(FIRST_ROWS * width).fill(blank),
  };
}

/**
 * The row of a client, created if it is new. Every 64th call sweeps some rows, and each new row sweeps two, so that
 * many new clients free the space that they need.
 */
export function open(table: BudgetTable, client: Client, nowUs: number): number {
  const { rows } = table;
  return --rows.untilSweep > 0 && client.home === rows ? client.row : search(table, client, nowUs);
}

function search(table: BudgetTable, client: Client, nowUs: number): number {
  const { rows } = table;
  if (rows.untilSweep <= 0) sweepSome(table, nowUs);
  const row = findCachedRow(rows, client);
  return row >= 0 ? row : find(table, client, nowUs);
}

/** The one row of a table whose budget all clients share (LIM-7). It is never dropped. */
export const openForAll = ({ rows }: BudgetTable): number =>
  rows.byIdentity.get(ALL_CLIENTS.identity) ?? assign(rows, client(ALL_CLIENTS.identity));

function find(table: BudgetTable, client: Client, nowUs: number): number {
  const { rows } = table;
  const row = rows.byIdentity.get(client.identity);
  if (row === undefined) return newRow(table, client, nowUs);
  if (!isPassing(client)) hold(rows, row, client);
  return row;
}

function newRow(table: BudgetTable, client: Client, nowUs: number): number {
  sweep(table, nowUs);
  sweep(table, nowUs);
  const row = assign(table.rows, client);
  if (row >= 0) return row;
  enlarge(table);
  return assign(table.rows, client);
}

/** Sweeps neighbouring rows, because the processor fetches them together. */
function sweepSome(table: BudgetTable, nowUs: number): void {
  table.rows.untilSweep = SWEEP_EVERY;
  for (let i = 0; i < SWEPT; i++) sweep(table, nowUs);
  table.rows.sweeps++;
  sweepIdle(table.ring, nowUs);
}

/**
 * Sweeps some rows of the next table, unless an operation has used that table since the last visit, and may still use a
 * row. A table that all clients share is left out: its one row is never dropped.
 */
function sweepIdle(ring: Ring, nowUs: number): void {
  ring.hand = (ring.hand + 1) % ring.tables.length;
  const other = ring.tables[ring.hand]!;
  const accesses = accessCount(other.rows);
  if (accesses === ring.accessCounts[ring.hand] && !other.rows.byIdentity.has(ALL_CLIENTS.identity))
    for (let i = 0; i < SWEPT; i++) sweep(other, nowUs);
  ring.accessCounts[ring.hand] = accesses;
}

/** How much longer a row is retained after its effect has ended, for gateways whose clocks are behind. */
const CLOCK_SLACK_US = 1_000_000;

function sweep(table: BudgetTable, nowUs: number): void {
  const row = advanceHand(table.rows);
  if (row < 0 || table.extras !== null) return;
  if (emptyFromUs(table, row) + CLOCK_SLACK_US > nowUs) return;
  dropRow(table, row);
}

export function dropRow(table: BudgetTable, row: number): void {
  erase(table, row);
  drop(table.rows, row);
}

/** From this time on the row has no effect, so it may be dropped. */
function emptyFromUs(table: BudgetTable, row: number): number {
  switch (table.kind) {
    case "counter":
      return endUs(table.cells, row, table.perUs);
    case "debt":
      return paidOffByUs(table.cells, row, table.lastsUs);
    case "queue":
      return leftUs(table.cells, row);
    case "two_windows":
      return emptyUs(table.cells, row, table.perUs);
    case "log": {
      const logUs = newest(table.stamps, row, 1) + table.perUs;
      const markUs = table.marks.get(row)?.untilUs ?? 0;
      return Math.max(logUs, markUs, table.allowances.get(row)?.absentFromUs ?? 0);
    }
  }
}

function erase(table: BudgetTable, row: number): void {
  forgetSpent(table, row);
  if (table.kind === "log") table.allowances.delete(row);
}

/** Removes spent units. An allowance stays: it changes only by its own rules, each change with an event (EVT-1). */
export function forgetSpent(table: BudgetTable, row: number): void {
  table.extras?.delete(row);
  if (table.kind !== "log") {
    table.cells.fill(table.blank, row * table.width, (row + 1) * table.width);
    return;
  }
  clear(table.stamps, row);
  table.marks.delete(row);
  table.bounds.delete(row);
}

function enlarge(table: BudgetTable): void {
  const { capacity } = table.rows;
  enlargeTo(table, capacity < 1024 ? capacity * 4 : Math.ceil(capacity * 1.5));
}

/** Enlarges a table to this many rows. */
export function enlargeTo(table: BudgetTable, capacity: number): void {
  const { rows } = table;
  if (capacity <= rows.capacity) return;
  rows.capacity = capacity;
  if (table.kind === "log") {
    enlargeStampRows(table.stamps, rows.capacity);
    return;
  }
  const larger = new Float64Array(rows.capacity * table.width);
  if (table.blank !== 0) larger.fill(table.blank, table.cells.length); // zeros that are not written take no memory
  larger.set(table.cells);
  table.cells = larger;
}
