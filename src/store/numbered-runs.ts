// Many requests in turn, each of which costs 1, where only refusals matter. There is a function for each kind of table, with
// the rule of its algorithm compiled into its loop: called through `Counting`, a decision takes several times as long.
import * as window from "../algorithms/fixed-window/rule.ts";
import { write } from "../algorithms/sliding-log/memory.ts";
import { waitUnwritten } from "../algorithms/sliding-log/rule.ts";
import { prune } from "../algorithms/sliding-log/stamps.ts";
import * as windows from "../algorithms/sliding-window-counter/rule.ts";
import * as bucket from "../algorithms/token-bucket/rule.ts";
import { micros } from "../core/units.ts";
import type { BoundLevel } from "./counting.ts";
import type { NumberedLevel } from "./numbered.ts";
import type { CellTable, LogTable } from "./table.ts";

/** The requests of each client are in the order of their times. */
export interface NumberedRequests {
  readonly count: number;
  readonly clients: Int32Array;
  readonly atUs: Float64Array;
}

/** Writes the indexes of the requests that are refused, and returns how many. */
export type RunOfRequests = (requests: NumberedRequests, refused: Int32Array) => number;

/** It decides and writes as `takeByNumber` does. Null: a decision has more than that, such as the delay of a queue. */
export function runByNumber({ bound }: NumberedLevel): RunOfRequests | null {
  const { table } = bound;
  switch (table.kind) {
    case "counter":
      return (requests, refused) => runCounters(bound as BoundLevel<CellTable>, requests, refused);
    case "debt":
      return (requests, refused) => runDebts(bound as BoundLevel<CellTable>, requests, refused);
    case "two_windows":
      return (requests, refused) => runWindows(bound as BoundLevel<CellTable>, requests, refused);
    case "log":
      return (requests, refused) => runLogs(bound as BoundLevel<LogTable>, requests, refused);
    case "queue":
      return null;
  }
}

function runCounters(
  { level, table }: BoundLevel<CellTable>,
  { count, clients, atUs }: NumberedRequests,
  refused: Int32Array,
): number {
  const { capacity, startsAtClock } = level;
  const { cells, perUs } = table;
  let refusals = 0;
  for (let i = 0; i < count; i++) {
    const row = clients[i]!;
    const nowUs = atUs[i]!;
    if (window.wait(cells, row, capacity, perUs, nowUs) > 0) refused[refusals++] = i;
    else window.spend(cells, row, perUs, nowUs, startsAtClock, 1);
  }
  return refusals;
}

function runDebts(
  { level, table }: BoundLevel<CellTable>,
  { count, clients, atUs }: NumberedRequests,
  refused: Int32Array,
): number {
  const { burst } = level;
  const { rate } = level.budget.limit;
  const { cells, perUs } = table;
  let refusals = 0;
  for (let i = 0; i < count; i++) {
    const row = clients[i]!;
    const nowUs = atUs[i]!;
    if (bucket.wait(cells, row, rate, burst, perUs, nowUs) > 0) refused[refusals++] = i;
    else bucket.spend(cells, row, rate, perUs, nowUs, 1);
  }
  return refusals;
}

function runWindows(
  { level, table }: BoundLevel<CellTable>,
  { count, clients, atUs }: NumberedRequests,
  refused: Int32Array,
): number {
  const { rate } = level.budget.limit;
  const { cells, perUs } = table;
  let refusals = 0;
  for (let i = 0; i < count; i++) {
    const row = clients[i]!;
    const nowUs = atUs[i]!;
    if (windows.wait(cells, row, rate, perUs, nowUs, 1) > 0) refused[refusals++] = i;
    else windows.spend(cells, row, perUs, nowUs, 1);
  }
  return refusals;
}

/** A log writes refused requests too (ALG-3). */
function runLogs(
  bound: BoundLevel<LogTable>,
  { count, clients, atUs }: NumberedRequests,
  refused: Int32Array,
): number {
  const { capacity } = bound.level;
  const { stamps, perUs } = bound.table;
  let refusals = 0;
  for (let i = 0; i < count; i++) {
    const row = clients[i]!;
    const nowUs = atUs[i]!;
    prune(stamps, row, nowUs - perUs);
    if (waitUnwritten(stamps, row, capacity, perUs, nowUs, 1) > 0) refused[refusals++] = i;
    bound.row = row;
    write(bound, micros(nowUs), 1);
  }
  return refusals;
}
