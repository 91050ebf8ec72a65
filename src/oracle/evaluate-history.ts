// What the specification allows for every request of a finished history.
import { SPECS } from "../spec/by-algorithm.ts";
import { FOREIGN_DRIVER, type History } from "../scenario/history.ts";
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
    lossStartUs(history, world) < Number.POSITIVE_INFINITY ? history.header.keys : [],
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
  const lost = lossStartUs(history, world);
  return ({ entry, answers }) => {
    const expected = computeExpected(entry, answers, world, history.header.epochUs);
    return entry.moment.toUs < lost ? expected : openByLoss(expected, entry);
  };
}

/**
 * The history lacks requests that were under way or in a queue of a gateway that ended. They were spent, or may have been,
 * as early as the longest of these began. A gateway of others, or its way, may lose any request.
 */
function lossStartUs(
  { unanswered, header }: History,
  { gatewayRestarts, storeFlightUs, queueUs }: OracleWorld,
): number {
  if (unanswered > 0 && header.driver === FOREIGN_DRIVER) return Number.NEGATIVE_INFINITY;
  const lossUs = storeFlightUs + queueUs;
  if (unanswered === 0 || lossUs === 0) return Number.POSITIVE_INFINITY;
  return Math.min(...gatewayRestarts.map(({ atUs }) => atUs)) - lossUs;
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
