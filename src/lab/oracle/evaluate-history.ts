// Computes what the specification allows for every request of a finished history.
import { SPECS } from "../../limiter/spec/by-algorithm.ts";
import { isLost, type History } from "../scenario/history.ts";
import { computeExpected } from "./allowed.ts";
import type { Entry } from "./entries.ts";
import type { Expected, ExpectedEvent, OracleResults } from "./expected.ts";
import { bookOf } from "./book.ts";
import { isSmoothed } from "./levels.ts";
import { walk, type Visit } from "./walk.ts";
import type { OracleWorld } from "./world.ts";

export function evaluateHistory(history: History, world: OracleWorld): OracleResults {
  const rows: Expected[] = [];
  const events: ExpectedEvent[] = [];
  const allowance = new Float64Array(history.requests.length).fill(Number.NaN);
  const openByText = new Set<number>();
  const isCut = history.spans.some(({ what }) => what === "store_down");
  const openKeys = new Set(lossesOfSmoothed(history, world).size > 0 ? history.header.keys : []);
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
      // The replaced limit may have moved the allowance once more.
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

/** Returns a function that computes the allowed decisions: more where a lost request may have moved an allowance. */
export function historyEvaluator(history: History, world: OracleWorld): (visit: Visit) => Expected {
  const lost = lossesOfSmoothed(history, world);
  return ({ entry, answers }) => {
    const expected = computeExpected(entry, answers, world, history.header.epochUs);
    const isOpen = entry.ledgers.some(
      (ledger) => (lost.get(ledger) ?? Number.POSITIVE_INFINITY) <= entry.moment.toUs,
    );
    return isOpen ? openByLoss(expected, entry) : expected;
  };
}

/**
 * Smoothed budgets of lost requests, with the time at which the first lost request was sent. Other budgets record a
 * lost request as perhaps spent, but an allowance may have moved and is open from then on. A request that no gateway
 * received met no budget.
 */
function lossesOfSmoothed(history: History, world: OracleWorld): ReadonlyMap<string, number> {
  const firstUs = new Map<string, number>();
  for (const { moment, levels, ledgers } of bookOf(history, world).entries) {
    if (!isLost(history.requests.status[moment.row]!)) continue;
    for (const [index, level] of levels.entries()) {
      const ledger = ledgers[index]!;
      const known = firstUs.get(ledger) ?? Number.POSITIVE_INFINITY;
      if (isSmoothed(level)) firstUs.set(ledger, Math.min(known, moment.flightFromUs));
    }
  }
  return firstUs;
}

/** Leaves a decision open: a lost request may have spent the budget, or begun a window that then ends earlier. */
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
