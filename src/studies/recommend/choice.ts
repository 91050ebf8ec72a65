// Chooses among the rates that were found, and names the clients that the chosen limit refuses.
import type { Micros } from "../../kit/units.ts";
import type { ReplayLimit } from "../replay/candidates.ts";
import { FREE_LOG } from "../replay/choices.ts";
import { specCalled } from "../../limiter/spec/by-algorithm.ts";
import type { FoundRate, Recommendation, RateSearch, OmittedClients } from "./recommendation.ts";

export const isSameSearch = (
  { rule, perUs }: Pick<RateSearch, "rule" | "perUs">,
  leftOut: OmittedClients | undefined,
): leftOut is OmittedClients => rule === leftOut?.rule && perUs === leftOut.perUs;

/** All clients of the log that a limit refuses, with those that were left out of its search. */
export const listRefused = (
  { refusals }: Pick<FoundRate, "refusals">,
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

/**
 * Chooses among the rates found for the first window that has any. All of them meet the target for the log, so the
 * best rate is the one with the lowest `mostInWindow`. A candidate that delays requests, or that has no rate under
 * another placement, comes last. The limit with which clients were left out is kept.
 */
export function choose(
  searches: readonly RateSearch[],
  windows: readonly Micros[],
  leftOut?: OmittedClients,
): FoundRate | null {
  const same = searches.find(
    (search) => windows.includes(search.perUs) && isSameSearch(search, leftOut),
  );
  if (same !== undefined) return same.found;
  const ratesIn = (perUs: Micros): readonly FoundRate[] =>
    searches.flatMap((search) =>
      search.perUs === perUs && search.found !== null ? [search.found] : [],
    );
  const found = windows.map(ratesIn).find((some) => some.length > 0) ?? [];
  const mostOf = (each: FoundRate): number => each.mostInWindow ?? Number.POSITIVE_INFINITY;
  const drawbacksOf = ({ limit, placements }: FoundRate): number =>
    Number(specCalled(limit.by.name)?.delays ?? false) +
    Number(placements.some(({ rate }) => rate === null));
  return (
    found.toSorted((a, b) => drawbacksOf(a) - drawbacksOf(b) || mostOf(a) - mostOf(b))[0] ?? null
  );
}
