// Chooses among the rates that were found, and names the clients that the chosen limit refuses.
import type { Micros } from "../../kit/units.ts";
import type { ReplayLimit } from "../replay/candidates.ts";
import { FREE_LOG } from "../replay/choices.ts";
import { specCalled } from "../../limiter/spec/by-algorithm.ts";
import type {
  FixedLimit,
  FoundRate,
  OmittedClients,
  RateSearch,
  Recommendation,
} from "./recommendation.ts";
import type { ShippedLimit } from "./shipped.ts";

/** The limit of this search that stays as it is, because clients are left out; undefined: none does. */
export const limitWithout = (
  leftOut: OmittedClients | undefined,
  { rule, perUs }: Pick<RateSearch, "rule" | "perUs">,
): FixedLimit | undefined =>
  leftOut?.limits.find((each) => each.rule === rule && each.perUs === perUs);

/** All clients of the log that a limit refuses, with those that were left out of its search. */
export const listRefused = (
  { refusals }: Pick<ShippedLimit, "refusals">,
  { leftOut }: Pick<Recommendation, "leftOut">,
): Int32Array =>
  Int32Array.from([
    ...refusals.ids,
    ...leftOut.filter(({ refused }) => refused > 0).map(({ client }) => client),
  ]);

/** The most requests that a limit admits in any window, by its algorithm's definition (LIM-C11); null for a profile. */
export function mostInWindow({ by, limit, options }: ReplayLimit): number | null {
  if (by.kind === "profile") return null;
  const { burst, queue, fixedWindowStart } = options;
  const facts = { ...limit, gateways: 1, burst, queue, fixedWindowStart };
  // A sliding log that does not count refused requests admits as many in a window as one that does.
  return specCalled(by.name === FREE_LOG ? "sliding_log" : by.name)!.mostInWindow(facts).most;
}

/** A limiter that counts refused requests is chosen if each other one admits more than this many times as many. */
const MOST_TIMES = 2;

/** The chosen rate of a window, and the best one of the other kind: of those that count refused requests, or do not. */
export interface WeighedRates {
  readonly chosen: FoundRate;
  readonly rival: FoundRate | null;
}

/** Whether refused requests count by an algorithm; null: it is a profile. */
export const doesCountRefusals = (algorithm: string | null): boolean =>
  specCalled(algorithm ?? "")?.countsAttempts ?? false;

const isCounting = ({ limit }: FoundRate): boolean => doesCountRefusals(limit.by.name);

/**
 * Weighs the rates found for a window. All of them meet the target for the log, so clients lose no more by one than by
 * another, and these decide, in this order:
 *
 * 1. Whether it can be enforced as it was found: a candidate comes last if it delays requests, if it has no rate under
 *    another placement, or if the most that it admits is unknown.
 * 2. Whether refused requests cost something. A client that retries too early by a limiter that counts them stays
 *    refused, and no Retry-After is certain. Such a limiter is chosen only if each other one admits more than twice as
 *    many in a window.
 * 3. How much the upstream has to bear: the least `mostInWindow`.
 * 4. How soon a refused client is admitted again: a bucket has the next request after a part of the window.
 *
 * A limit that stays as it is, because clients are left out, is chosen.
 */
export function weigh(
  searches: readonly RateSearch[],
  perUs: Micros,
  leftOut?: OmittedClients,
): WeighedRates | null {
  const ofWindow = searches.filter((search) => search.perUs === perUs);
  const found = ofWindow.flatMap((search) => search.found ?? []);
  const fewest = Math.min(...found.map(countDrawbacks));
  const [free, counting] = [false, true].map((counts) =>
    found
      .filter((each) => countDrawbacks(each) === fewest && isCounting(each) === counts)
      .toSorted((a, b) => mostOf(a) - mostOf(b) || waitsForWindow(a) - waitsForWindow(b))
      .at(0),
  );
  const same = ofWindow.find((search) => limitWithout(leftOut, search) !== undefined)?.found;
  const isCountingChosen =
    free === undefined || (counting !== undefined && mostOf(free) > MOST_TIMES * mostOf(counting));
  const chosen = same ?? (isCountingChosen ? counting : free);
  if (chosen === undefined) return null;
  return { chosen, rival: (isCounting(chosen) ? free : counting) ?? null };
}

const mostOf = (each: FoundRate): number => each.mostInWindow ?? Number.POSITIVE_INFINITY;

const countDrawbacks = ({ limit, placements, mostInWindow: most }: FoundRate): number =>
  Number(specCalled(limit.by.name)?.delays ?? false) +
  Number(placements.some(({ rate }) => rate === null)) +
  Number(most === null);

const waitsForWindow = ({ limit }: FoundRate): number =>
  Number(specCalled(limit.by.name)?.counts !== "debt");

/** Chooses for the first window that has a rate. */
export const choose = (
  searches: readonly RateSearch[],
  windows: readonly Micros[],
  leftOut?: OmittedClients,
): FoundRate | null =>
  windows.map((perUs) => weigh(searches, perUs, leftOut)).find((each) => each !== null)?.chosen ??
  null;
