// What decides a recommended rate: the few clients that need more than all others, and what each candidate would refuse
// at the same rate.
import type { ConfidenceInterval } from "../../kit/stats/bootstrap.ts";
import type { Rng } from "../../kit/chance/rng.ts";
import type { Micros } from "../../kit/units.ts";
import { findEdge, type EdgeClient } from "./edge.ts";
import type { LongRun, StarvedClient } from "./long-run.ts";
import type { RefusalCurve, Refusals } from "./refusals.ts";
import { rateInterval } from "./resampling.ts";
import {
  findSmallestRate,
  findStarved,
  isSustained,
  isTargetMet,
  type RefusalTarget,
  type RefusalTotals,
} from "./search.ts";

/** The share of the clients that may be left out, and at least one client. */
const MOST_OUTLIERS = 0.01;
/** A log with fewer clients has no client that is an exception. */
const FEWEST_CLIENTS = 10;
/** How many of these clients may be exceptions. */
export const mostOutliers = (clients: number): number =>
  clients < FEWEST_CLIENTS ? 0 : Math.max(1, Math.floor(MOST_OUTLIERS * clients));
/**
 * A gap: the rate with one client more left out is at most this part of the rate before. The clients above the last
 * gap are outliers. On a continuum no client is one, however far apart its ends are.
 */
const GAP = 0.5;

interface OutlyingClient {
  readonly client: number;
  readonly peak: number | null;
  readonly refused: number; // good requests, by `rate` of the others
}

/** Clients that a gap separates from all others. */
export interface Outliers {
  readonly clients: readonly OutlyingClient[];
  readonly rate: number; // the smallest rate for all other clients
  readonly totals: RefusalTotals; // of all other clients
  readonly refused: Pick<Refusals, "goodRequests" | "goodClients">; // what this rate refuses of the others
  readonly interval: ConfidenceInterval | null;
  readonly edge: readonly EdgeClient[]; // of all clients, at `rate`
  readonly starved: readonly number[]; // the others for which alone `rate` is not one lower
  /** The smallest rate that refuses no request of the others, also in the long run; null: every rate refuses some. */
  readonly othersPeak: number | null;
  /** Whether each of them needs more than `othersPeak`, which is below the rate of all. */
  readonly needMore: boolean;
}

export interface SearchedTarget {
  readonly target: RefusalTarget;
  readonly totals: RefusalTotals;
  readonly requestsOf: Int32Array; // requests that the target is about, of each client
  readonly clients: number; // all, with those of which each request is labelled as bad
}

/**
 * The clients above the last gap, among at most 1 % of all; null: there is no gap. Clients that are labelled as bad and
 * refused count among the 1 %, so that a label finds no outliers that were none before.
 */
export function findOutliers(
  curve: RefusalCurve,
  rate: number,
  of: SearchedTarget,
  random: Rng,
  top: number, // clients on each side of the edge
): Outliers | null {
  const { target, requestsOf } = of;
  const most = mostOutliers(of.clients);
  if (most === 0) return null;
  const neededAt = new Map<number, readonly number[] | null>();
  const listAt = (refusals: Refusals): readonly number[] | null => {
    if (!neededAt.has(refusals.rate)) {
      const labelled = refusals.ids.filter((id) => requestsOf[id] === 0).length;
      neededAt.set(refusals.rate, listNeeded(refusals, most - labelled, of));
    }
    return neededAt.get(refusals.rate)!;
  };
  const rateWithout = (count: number): number =>
    findSmallestRate(curve, (refusals) => (listAt(refusals)?.length ?? most + 1) <= count) ?? rate;
  const best = rateBelowLastGap(
    rateWithout,
    { count: 0, rate },
    { count: most, rate: rateWithout(most) },
  );
  if (best === null) return null;
  const outliers = new Set(listAt(curve.at(best)));
  const others = totalsWithout(outliers, of);
  const rest = curve.without(outliers);
  const lowered = findSmallestRate(rest, (each) => isTargetMet(each, target, others));
  if (lowered === null || lowered > GAP * rate) return null;
  const othersPeak = findSmallestRate(rest, (each) => each.goodRequests === 0 && isSustained(each));
  const heightOf = (peak: number | null): number => peak ?? Number.POSITIVE_INFINITY;
  const { ids, good } = curve.at(lowered);
  const refusedOf = new Map(Array.from(ids, (id, at) => [id, good[at]!]));
  const requestsOfOthers = requestsOf.map((requests, id) => (outliers.has(id) ? 0 : requests));
  return {
    clients: [...outliers]
      .map((client) => ({
        client,
        peak: curve.peakOf(client),
        refused: refusedOf.get(client) ?? 0,
      }))
      .toSorted((a, b) => heightOf(b.peak) - heightOf(a.peak)),
    rate: lowered,
    totals: others,
    refused: rest.at(lowered),
    interval: rateInterval(rest, target, requestsOfOthers, lowered, random),
    edge: findEdge(curve, lowered, top),
    starved: findStarved(rest, lowered, target, others),
    othersPeak,
    needMore:
      othersPeak !== null && othersPeak < rate && areAllRefused(outliers, curve.at(othersPeak)),
  };
}

interface RateWithout {
  readonly count: number; // clients that are left out
  readonly rate: number;
}

/** The rate below the last gap between two counts; null: there is none. A rate never rises with the count. */
function rateBelowLastGap(
  rateWithout: (count: number) => number,
  few: RateWithout,
  many: RateWithout,
): number | null {
  if (many.rate > GAP * few.rate) return null;
  if (many.count - few.count === 1) return many.rate;
  const count = Math.floor((few.count + many.count) / 2);
  const middle = { count, rate: rateWithout(count) };
  return rateBelowLastGap(rateWithout, middle, many) ?? rateBelowLastGap(rateWithout, few, middle);
}

/**
 * The fewest clients without which the others meet the target at a rate; null: more than `most` are needed. First
 * come those that exceed the share of requests by most.
 */
function listNeeded(
  { ids, good, goodRequests, goodClients, starved = [] }: Refusals,
  most: number,
  { target, totals, requestsOf }: SearchedTarget,
): readonly number[] | null {
  const isMet = (refused: RefusedCounts, rest: RefusalTotals): boolean =>
    isTargetMet(refused, target, rest);
  const refusedClients = Array.from(ids, (client, at) => ({ client, lost: good[at]! }));
  const losing = [...refusedClients.filter(({ lost }) => lost > 0), ...starved];
  let refused = starved.reduce((sum, { lost }) => sum + lost, goodRequests);
  const clients = goodClients + starved.length;
  if (isMet({ goodRequests: refused, goodClients: clients }, totals)) return [];
  const excessOf = ({ client, lost }: StarvedClient): number =>
    lost - target.requests * requestsOf[client]!;
  const first = losing.toSorted((a, b) => excessOf(b) - excessOf(a));
  let { requests } = totals;
  for (let count = 1; count <= Math.min(most, first.length); count++) {
    const { client, lost } = first[count - 1]!;
    refused -= lost;
    requests -= requestsOf[client]!;
    const rest = { requests, clients: totals.clients - count };
    if (isMet({ goodRequests: refused, goodClients: clients - count }, rest))
      return first.slice(0, count).map((each) => each.client);
  }
  return null;
}

type RefusedCounts = Pick<Refusals, "goodRequests" | "goodClients">;

const totalsWithout = (
  clients: ReadonlySet<number>,
  { totals, requestsOf }: SearchedTarget,
): RefusalTotals => ({
  requests: totals.requests - [...clients].reduce((sum, id) => sum + requestsOf[id]!, 0),
  clients: totals.clients - clients.size,
});

/** Whether a request that the target is about is refused of each of these clients. */
function areAllRefused(clients: ReadonlySet<number>, { ids, good }: Refusals): boolean {
  const refused = new Set(ids.filter((_, at) => good[at]! > 0));
  return [...clients].every((client) => refused.has(client));
}

/** The recommendation for one window. */
export interface WindowAdvice {
  readonly perUs: Micros;
  readonly search: number; // the index of the chosen search
  readonly outliers: Outliers | null;
  /** The outliers if the limit is for them too, and the rate without them; null: there are none, or it is not. */
  readonly included: Pick<Outliers, "clients" | "rate"> | null;
  readonly rate: number; // the rate without outliers, if there are some
  readonly mostInWindow: number | null; // at `rate`, as in `FoundRate`
  /**
   * The smallest rate, from `rate` on, that meets the target with every placement of requests within whole seconds.
   * Null: none does, timestamps are finer, or the search was interrupted.
   */
  readonly placedRate: number | null;
  /** Clients that are no outliers, and send more than `rate` on average: the one that sends most; null: none does. */
  readonly above: (LongRun & { readonly clients: number }) | null;
  /** The client that sends most in the long run of those for which alone `rate` is not one lower; null: none. */
  readonly longRun: LongRun | null;
  /** Of the clients that the limit refuses nothing, the one nearest to it; null: there is none. */
  readonly closest: (LongRun & { readonly peak: number }) | null;
  /** Of the clients that are no outliers, the one of which the limit refuses most; null: it refuses nothing of them. */
  readonly mostRefused: EdgeClient | null;
  readonly rival: Rival | null;
  readonly atRate: readonly RateEffect[]; // of each search of this window
}

export const outliersIn = (advice: readonly WindowAdvice[]): ReadonlySet<number> =>
  new Set(advice.flatMap(({ outliers }) => outliers?.clients.map(({ client }) => client) ?? []));

/** What a search's algorithm or profile does at the recommended rate. */
export interface RateEffect {
  readonly search: number;
  /** Its own smallest rate without the outliers; null: no rate meets the target. */
  readonly rateOfOthers: number | null;
  readonly refused: Omit<Refusals, "rate">; // of all clients
  readonly refusedOfOthers: number; // good requests of clients that are no outliers
}

/** What the chosen candidate was weighed against, at its own smallest rate without the outliers. */
export interface Rival {
  readonly search: number;
  readonly rate: number;
  readonly mostInWindow: number | null;
}
