// Decides many requests of cost 1 in one call, if only the refusals matter. Each algorithm has its own loop: through
// `Counting`, a decision would take several times as long.
import * as windows from "../algorithms/sliding-window-counter/rule.ts";
import * as bucket from "../algorithms/token-bucket/rule.ts";
import type { NumberedRequests } from "../core/numbered-requests.ts";
import type { AttemptWindow } from "./attempt-counts.ts";
import type { BoundLevel } from "./counting.ts";
import { makeRoom, type NumberedLevel } from "./numbered.ts";
import type { CellTable } from "./table.ts";

export interface RequestBlock extends NumberedRequests {
  /** Larger than every client number. */
  readonly clientCount: number;
  /** How many attempts of its client are in the window before each request. Limits with the same window share it. */
  readonly attemptsWithin: (window: AttemptWindow, perUs: number) => Int32Array;
}

/** Decides the requests, writes the indexes of refused requests into `refused`, and returns their number. */
export type RunOfRequests = (requests: RequestBlock, refused: Int32Array) => number;

/** Returns a function that decides as `takeByNumber` does; null for a queue, whose decisions also have a delay. */
export function runByNumber(numbered: NumberedLevel): RunOfRequests | null {
  const { bound } = numbered;
  const { level, table } = bound;
  const byAttempts =
    (window: AttemptWindow, perUs: number): RunOfRequests =>
    (requests, refused) =>
      refuseFrom(requests.attemptsWithin(window, perUs), requests.count, level.capacity, refused);
  switch (table.kind) {
    case "counter":
      return byAttempts(level.startsAtClock ? "from the clock" : "from a request", table.perUs);
    case "debt":
    case "two_windows": {
      const run = runOfCells(bound as BoundLevel<CellTable>);
      return (requests, refused) => {
        const { capacity } = table.rows;
        if (requests.clientCount > capacity)
          makeRoom(numbered, Math.max(requests.clientCount, Math.ceil(1.25 * capacity)));
        return run(table.cells, requests, refused);
      };
    }
    case "log":
      return byAttempts("sliding", table.perUs); // the log counts refused requests too (ALG-3)
    case "queue":
      return null;
  }
}

type RunOfCells = (cells: Float64Array, requests: NumberedRequests, refused: Int32Array) => number;

function runOfCells({ level, table: { kind, perUs } }: BoundLevel<CellTable>): RunOfCells {
  const { burst } = level;
  const { rate } = level.budget.limit;
  if (kind === "two_windows") {
    const limit = { rate, perUs };
    return (cells, requests, refused) => windows.decideAll(cells, limit, requests, refused);
  }
  const limit = { rate, burst, perUs };
  return Number.isInteger(rate)
    ? (cells, requests, refused) => bucket.decideAll(cells, limit, requests, refused)
    : (cells, requests, refused) => runDebtsWithDecimals(cells, limit, requests, refused);
}

function runDebtsWithDecimals(
  cells: Float64Array,
  { rate, burst, perUs }: bucket.DebtLimit,
  { count, clients, atUs }: NumberedRequests,
  refused: Int32Array,
): number {
  const lastsUs = bucket.lastsUs(rate, burst, perUs);
  let refusals = 0;
  for (let i = 0; i < count; i++) {
    const row = clients[i]!;
    const nowUs = atUs[i]!;
    if (bucket.wait(cells, row, rate, burst, perUs, nowUs, lastsUs) > 0) refused[refusals++] = i;
    else bucket.spend(cells, row, rate, perUs, nowUs, 1, lastsUs);
  }
  return refusals;
}

function refuseFrom(
  attempts: Int32Array,
  count: number,
  capacity: number,
  refused: Int32Array,
): number {
  let refusals = 0;
  for (let i = 0; i < count; i++) if (attempts[i]! >= capacity) refused[refusals++] = i;
  return refusals;
}
