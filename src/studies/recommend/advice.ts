// What decides a recommended rate: the few clients that need more than all others, and what each candidate would refuse
// at the same rate.
import type { ConfidenceInterval } from "../../kit/stats/bootstrap.ts";
import type { Rng } from "../../kit/chance/rng.ts";
import type { Micros } from "../../kit/units.ts";
import type { RefusalCurve, Refusals } from "./refusals.ts";
import { rateInterval } from "./resampling.ts";
import { findSmallestRate, isTargetMet, type RefusalTarget, type RefusalTotals } from "./search.ts";

/** The share of the clients that may be left out, and at least one client. */
const MOST_OUTLIERS = 0.01;
/** A log with fewer clients has no client that is an exception. */
const FEWEST_CLIENTS = 10;
/** Clients are outliers if the rate without them is lower than this part of the rate with them. */
const LOWERED_TO = 0.75;
/** Fewer clients are left out if the rate without them is at most this much above the lowest. */
const NEAR_LOWEST = 1.1;

/** Clients without which a much lower rate meets the same target. */
export interface Outliers {
  readonly clients: readonly { readonly client: number; readonly peak: number | null }[];
  readonly rate: number; // the smallest rate for all other clients
  readonly totals: RefusalTotals; // of all other clients
  readonly refused: Pick<Refusals, "goodRequests" | "goodClients">; // what this rate refuses of the others
  readonly interval: ConfidenceInterval | null;
  /** The smallest rate that refuses no request of the others. */
  readonly othersPeak: number;
}

export interface SearchedTarget {
  readonly target: RefusalTarget;
  readonly totals: RefusalTotals;
  readonly requestsOf: Int32Array; // requests that the target is about, of each client
  readonly all: Int32Array; // the numbers of all clients
  readonly curveOf: (clients: Int32Array) => RefusalCurve; // a curve on which `tryRates` was called
}

/** The fewest clients that raise a rate by more than a third; null: no clients among at most 1 % of all do. */
export function findOutliers(
  curve: RefusalCurve,
  rate: number,
  of: SearchedTarget,
  random: Rng,
): Outliers | null {
  const { totals } = of;
  if (totals.clients < FEWEST_CLIENTS) return null;
  const most = Math.max(1, Math.floor(MOST_OUTLIERS * totals.clients));
  const without = (count: number): Remainder | null => remainderOf(curve, count, of);
  const lowest = without(most);
  if (lowest === null || lowest.rate >= LOWERED_TO * rate) return null;
  let [few, enough, best] = [0, most, lowest];
  while (enough - few > 1) {
    const middle = Math.floor((few + enough) / 2);
    const remainder = without(middle);
    if (remainder !== null && remainder.rate <= NEAR_LOWEST * lowest.rate)
      [enough, best] = [middle, remainder];
    else few = middle;
  }
  const heightOf = (peak: number | null): number => peak ?? Number.POSITIVE_INFINITY;
  return {
    clients: best.outliers
      .map((client) => ({ client, peak: curve.peakOf(client) }))
      .toSorted((a, b) => heightOf(b.peak) - heightOf(a.peak)),
    rate: best.rate,
    totals: best.totals,
    refused: best.curve.at(best.rate),
    interval: rateInterval(best.curve, of.target, best.requestsOf, best.rate, random),
    othersPeak: findSmallestRate(best.curve, ({ goodRequests }) => goodRequests === 0)!,
  };
}

interface Remainder {
  readonly outliers: readonly number[];
  readonly rate: number;
  readonly curve: RefusalCurve;
  readonly totals: RefusalTotals;
  readonly requestsOf: Int32Array;
}

/** The search without the at most `count` clients that need the highest rates; null: no rate refuses so few. */
function remainderOf(
  curve: RefusalCurve,
  count: number,
  { target, requestsOf, all, totals, curveOf }: SearchedTarget,
): Remainder | null {
  const above = findSmallestRate(curve, ({ goodClients }) => goodClients <= count);
  if (above === null) return null;
  const { ids, good } = curve.at(above);
  const outliers = new Set([...ids].filter((_, at) => good[at]! > 0));
  if (outliers.size === 0) return null;
  const ofOthers = requestsOf.map((requests, id) => (outliers.has(id) ? 0 : requests));
  const others = {
    requests: ofOthers.reduce((sum, each) => sum + each, 0),
    clients: totals.clients - outliers.size,
  };
  const rest = curveOf(all.filter((id) => !outliers.has(id)));
  const rate = findSmallestRate(rest, (each) => isTargetMet(each, target, others));
  return rate === null
    ? null
    : { outliers: [...outliers], rate, curve: rest, totals: others, requestsOf: ofOthers };
}

/** The recommendation for one window. */
export interface WindowAdvice {
  readonly perUs: Micros;
  readonly search: number; // the index of the chosen search
  readonly outliers: Outliers | null;
  readonly rate: number; // the rate without outliers, if there are some
  readonly atRate: readonly RateEffect[]; // of each search of this window
  /** What a sliding log would refuse at `rate` if refused requests did not count; null: it is not chosen. */
  readonly refusedUncounted: number | null;
}

export const outliersIn = (advice: readonly WindowAdvice[]): ReadonlySet<number> =>
  new Set(advice.flatMap(({ outliers }) => outliers?.clients.map(({ client }) => client) ?? []));

/** What a search's algorithm or profile does at the recommended rate. */
export interface RateEffect {
  readonly search: number;
  readonly refused: Omit<Refusals, "rate">; // of all clients
  readonly mostInWindow: number | null; // as in `FoundRate`
}
