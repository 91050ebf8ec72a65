// What the specification allows for every request of a finished history.
import { SPECS } from "../spec/by-algorithm.ts";
import { NO_STATUS, REASONS, type History } from "../scenario/history.ts";
import { computeExpected } from "./allowed.ts";
import type { Entry } from "./entries.ts";
import type { Expected, ExpectedEvent, OracleResults } from "./expected.ts";
import { walk, type Visit } from "./walk.ts";
import type { OracleWorld } from "./world.ts";

export function evaluateHistory(history: History, world: OracleWorld): OracleResults {
  const rows: Expected[] = [];
  const events: ExpectedEvent[] = [];
  const allowance = new Float64Array(history.requests.length).fill(Number.NaN);
  const openByText = new Set<number>();
  const isCut = history.spans.some(({ what }) => what === "store_down");
  const openKeys = new Set(
    lossStartUs(history) < Number.POSITIVE_INFINITY ? history.header.keys : [],
  );
  const expectedIn = historyEvaluator(history, world);
  walk(
    history,
    world,
    (visit) => {
      const { entry, context } = visit;
      const isBetween = entry.levels.some(
        ({ algorithm }) => SPECS[algorithm].overshootsBy === "mark",
      );
      if (context.inSteps || isBetween || (isCut && entry.outage !== "none"))
        openByText.add(entry.moment.row);
      rows.push(expectedIn(visit));
      // Under the limit that has just been replaced, A may have moved once more.
      const key = history.header.keys[history.requests.key[entry.moment.row]!];
      if (entry.between && key !== undefined) openKeys.add(key);
    },
    (smoothed) => {
      if (smoothed.allowance !== null) allowance[smoothed.row] = smoothed.allowance;
      else if (smoothed.key !== null) openKeys.add(smoothed.key);
      events.push(...smoothed.events);
    },
  );
  return { rows, events, openKeys, openByText, allowance };
}

/** The decisions that are allowed for a request, also if lost requests may have been decided before it. */
export function historyEvaluator(history: History, world: OracleWorld): (visit: Visit) => Expected {
  const lost = lossStartUs(history);
  return ({ entry, answers }) => {
    const expected = computeExpected(entry, answers, world, history.header.epochUs);
    return entry.moment.toUs < lost ? expected : openByLoss(expected, entry);
  };
}

/**
 * From the time at which the first request was sent that a gateway took, and that is lost: it was spent, or may have been.
 * One that no gateway took never was.
 */
function lossStartUs({ requests }: History): number {
  let firstUs = Number.POSITIVE_INFINITY;
  for (let row = 0; row < requests.length; row++) {
    if (requests.status[row] !== NO_STATUS) continue;
    if (REASONS[requests.reason[row]!] !== "unreachable")
      firstUs = Math.min(firstUs, requests.sentUs[row]!);
  }
  return firstUs;
}

/** A lost request may have spent the budget. It may also have begun the window, which then ends earlier. */
const openByLoss = (expected: Expected, { admission, levels }: Entry): Expected => ({
  ...expected,
  admit:
    expected.admit ||
    (admission.kind === "served" &&
      levels.some(({ algorithm }) => SPECS[algorithm].counts === "window")),
  refuse: true,
  refusalStatus: null,
  refusalScope: null,
  retryAfter: null,
  headers: null,
  delayUs: null,
});
