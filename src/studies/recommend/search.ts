// Finds the smallest rate that meets a target. A higher rate may refuse more, because its windows begin at other
// requests. So a search also tries rates between tried ones, and its result holds for tried rates only.
import type { Refusals, RefusalCurve, TriedCurve } from "./refusals.ts";

/** The largest share of requests, and of clients, that may be refused. */
export interface RefusalTarget {
  readonly requests: number;
  readonly clients: number;
}

/** All requests and clients, to which the shares refer. */
export interface RefusalTotals {
  readonly requests: number;
  readonly clients: number;
}

/** The tolerance of counts: 0.1 % of 3,000 must be 3 despite rounding errors of floating point. */
const ROUNDING = 1e-9;

type RefusedCounts = Pick<Refusals, "goodRequests" | "goodClients" | "starved">;

/** Whether no client would lose requests in the long run of which none are refused in the log. */
export const isSustained = ({ starved }: Pick<Refusals, "starved">): boolean =>
  starved === undefined || starved.length === 0;

export const meetsRequests = (
  { goodRequests, starved = [] }: RefusedCounts,
  { requests }: RefusalTarget,
  totals: RefusalTotals,
): boolean =>
  starved.reduce((sum, { lost }) => sum + lost, goodRequests) <=
  requests * totals.requests + ROUNDING;

export const meetsClients = (
  { goodClients, starved = [] }: RefusedCounts,
  { clients }: RefusalTarget,
  totals: RefusalTotals,
): boolean => goodClients + starved.length <= clients * totals.clients + ROUNDING;

export const isTargetMet = (
  refused: RefusedCounts,
  target: RefusalTarget,
  totals: RefusalTotals,
): boolean => meetsRequests(refused, target, totals) && meetsClients(refused, target, totals);

/** Yields two rates for each doubling: 1, 2, 3, 4, 6, 8, 11, 16. */
export function* ratesUpTo(most: number): Generator<number> {
  for (let step = 0, last = 0; ; step++) {
    const rate = Math.min(most, Math.round(2 ** (step / 2)));
    if (rate > last) yield (last = rate);
    if (rate === most) return;
  }
}

/** Tries ascending rates until one refuses nothing, in the long run too. */
export function tryRates(curve: RefusalCurve): void {
  for (const rate of ratesUpTo(curve.most)) {
    const refusals = curve.at(rate);
    if (refusals.ids.length === 0 && isSustained(refusals)) return;
  }
}

/**
 * Returns a rate R that meets the target, while R - 1 does not, and each tried rate above R does. Null: the highest
 * rate does not meet it. Call `tryRates` before.
 */
export function findSmallestRate(
  curve: TriedCurve,
  isMet: (refusals: Refusals) => boolean,
): number | null {
  const tried = curve.refusalsByRate();
  const last = tried.findLastIndex((refusals) => !isMet(refusals));
  if (last === tried.length - 1) return null;
  let missed = last < 0 ? 0 : tried[last]!.rate;
  let met = tried[last + 1]!.rate;
  while (met - missed > 1) {
    const middle = Math.floor((missed + met) / 2);
    if (isMet(curve.at(middle))) met = middle;
    else missed = middle;
  }
  return met;
}

/** The part of the target that the rate below misses by its refusals in the log, or only by those in the long run. */
export type MissedPart = "requests" | "clients" | "long run";

/** Null: no rate is below, or it misses no part. */
export function whatMisses(
  curve: TriedCurve,
  rate: number,
  target: RefusalTarget,
  totals: RefusalTotals,
): MissedPart | null {
  if (rate === 1) return null;
  const { goodRequests, goodClients } = curve.at(rate - 1);
  const inLog = { goodRequests, goodClients };
  if (!meetsRequests(inLog, target, totals)) return "requests";
  if (!meetsClients(inLog, target, totals)) return "clients";
  return isTargetMet(curve.at(rate - 1), target, totals) ? null : "long run";
}

/** The clients for which alone a rate is not one lower: of the log it would refuse no more than the target allows. */
export function findStarved(
  curve: TriedCurve,
  rate: number,
  target: RefusalTarget,
  totals: RefusalTotals,
): readonly number[] {
  if (whatMisses(curve, rate, target, totals) !== "long run") return [];
  return (curve.at(rate - 1).starved ?? []).map(({ client }) => client);
}
