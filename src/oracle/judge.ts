// What the text allows for every request of a finished history.
import { SPECS } from "../spec/by-algorithm.ts";
import type { History } from "../scenario/history.ts";
import { expectedOf } from "./allowed.ts";
import type { Expected, ExpectedEvent, Judgement } from "./expected.ts";
import { walk, type Visit } from "./walk.ts";
import type { OracleWorld } from "./world.ts";

export function judge(history: History, world: OracleWorld): Judgement {
  const rows: Expected[] = [];
  const events: ExpectedEvent[] = [];
  const allowance = new Float64Array(history.requests.length).fill(Number.NaN);
  const openByText = new Set<number>();
  const isCut = history.spans.some(({ what }) => what === "store_down");
  const openKeys = new Set(Number.isFinite(lostSinceUs(history, world)) ? history.header.keys : []);
  const expectedIn = judging(history, world);
  walk(
    history,
    world,
    (visit) => {
      const { entry, asking } = visit;
      const isBetween = entry.levels.some(
        ({ algorithm }) => SPECS[algorithm].overshootsBy === "mark",
      );
      if (asking.inSteps || isBetween || (isCut && entry.outage !== "none"))
        openByText.add(entry.moment.row);
      rows.push(expectedIn(visit));
      // Under the limit that has just gone, A may have moved once more.
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

/** What the text allows a request, lost ones that may have come before it included. */
export function judging(history: History, world: OracleWorld): (visit: Visit) => Expected {
  const lost = lostSinceUs(history, world);
  return ({ entry, answers }) => {
    const expected = expectedOf(entry, answers, world, history.header.epochUs);
    return entry.moment.toUs < lost ? expected : orRefused(expected);
  };
}

/** Requests that a dying gateway had under way may have been spent, and the history does not know them. */
function lostSinceUs(
  { unanswered }: History,
  { gatewayRestarts, storeFlightUs }: OracleWorld,
): number {
  if (unanswered === 0 || storeFlightUs === 0) return Number.POSITIVE_INFINITY;
  return Math.min(...gatewayRestarts.map(({ atUs }) => atUs)) - storeFlightUs;
}

const orRefused = (expected: Expected): Expected => ({
  ...expected,
  refuse: true,
  refusalStatus: null,
  refusalScope: null,
  retryAfter: null,
  headers: null,
});
