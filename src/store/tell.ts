// What clients are told of their budgets (HDR-C2), after the decision.
import * as counter from "../core/algorithm/counter.ts";
import * as debt from "../core/algorithm/debt.ts";
import * as stamps from "../core/algorithm/stamps.ts";
import * as twoWindows from "../core/algorithm/two-windows.ts";
import { isTighter, type Level, type Reply } from "../core/store.ts";
import type { Micros } from "../core/units.ts";
import type { Bound } from "./bound.ts";
import { judgeCells } from "./cell-budget.ts";
import { allowed, isPlainLog, waitAfter } from "./log-budget.ts";
import type { LogTable, Table } from "./table.ts";

/**
 * Shows this level if it is the tightest so far. `spends`: this request counts, though a sentinel writes
 * it only behind the answer.
 */
export function tell(
  { level, table, isQuota }: Bound,
  i: number,
  row: number,
  atUs: Micros,
  spends: boolean,
  reply: Reply,
): void {
  const limit = limitOf(level, table, row);
  const unwritten = spends && level.algorithm === "sentinel";
  const left = Math.max(0, leftOf(level, table, row, limit, atUs) - Number(unwritten));
  if (level.rule !== null) reply.allowance = limit;
  if (isQuota) reply.quotaLeft = left;
  else if (reply.shown < 0 || left <= reply.remaining) {
    const resetUs =
      left > 0
        ? Math.max(fullUs(table, row, level, atUs), unwritten ? atUs + table.perUs : 0)
        : atUs + nextWait(level, table, row, atUs);
    if (isTighter(reply, left, resetUs)) show(reply, i, limit, left, resetUs);
  }
}

/** The same for a budget that has just counted and knows what it has: the commonest one. */
export function tellCounted(
  { level, isQuota }: Bound,
  i: number,
  count: number,
  endUs: number,
  reply: Reply,
): void {
  const left = level.capacity - count;
  if (isQuota) reply.quotaLeft = left;
  else if (isTighter(reply, left, endUs)) show(reply, i, level.capacity, left, endUs);
}

/** Who refused is shown, whatever the others have left. A quota is not shown at all. */
export function showRefusal(
  { level, table, isQuota }: Bound,
  i: number,
  row: number,
  resetUs: number,
  reply: Reply,
): void {
  const limit = limitOf(level, table, row);
  if (level.rule !== null) reply.allowance = limit;
  if (isQuota) reply.quotaLeft = 0;
  else show(reply, i, limit, 0, resetUs);
}

function show(reply: Reply, i: number, limit: number, left: number, resetUs: number): void {
  reply.shown = i;
  reply.limit = limit;
  reply.remaining = left;
  reply.resetUs = resetUs;
}

/** floor(A) where smoothed, as it is after this request. */
const limitOf = (level: Level, table: Table, row: number): number =>
  table.kind === "log" && level.rule !== null ? allowed(level, table, row) : level.capacity;

function leftOf(level: Level, table: Table, row: number, limit: number, atUs: number): number {
  switch (table.kind) {
    case "counter":
      return Math.max(0, limit - counter.used(table.cells, row, table.perUs, atUs));
    case "debt":
      return debt.remaining(
        table.cells,
        row,
        level.budget.limit.rate,
        level.burst,
        table.perUs,
        atUs,
      );
    case "two_windows":
      return twoWindows.remaining(table.cells, row, level.budget.limit.rate, table.perUs, atUs);
    case "log":
      return Math.max(0, limit - counted(level, table, row, atUs));
  }
}

const counted = (
  level: Level,
  { stamps: log, perUs }: LogTable,
  row: number,
  atUs: number,
): number =>
  isPlainLog(level) ? stamps.countOf(log, row) : stamps.countAfter(log, row, atUs - perUs);

/** When the budget is full again if nobody calls. */
function fullUs(table: Table, row: number, level: Level, atUs: number): number {
  switch (table.kind) {
    case "counter":
      return Math.max(atUs, counter.endUs(table.cells, row, table.perUs));
    case "debt":
      return Math.max(atUs, debt.paidOffUs(table.cells, row, level.budget.limit.rate));
    case "two_windows":
      return Math.max(atUs, twoWindows.emptyUs(table.cells, row, table.perUs));
    case "log":
      return Math.max(atUs, stamps.newest(table.stamps, row, 1) + table.perUs);
  }
}

const nextWait = (level: Level, table: Table, row: number, atUs: Micros): number =>
  table.kind === "log" ? waitAfter(level, table, row, atUs) : judgeCells(level, table, row, atUs);
