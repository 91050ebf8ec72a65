// The rates with which limits meet the target however the requests of a second are spread over it.
import { startCurve, type SearchedClients } from "./advise.ts";
import type { WindowAdvice } from "./advice.ts";
import type { RateSearch } from "./recommendation.ts";
import { findSmallestRate, isTargetMet, tryRates, type RefusalTarget } from "./search.ts";

export interface PlacedSearch {
  readonly searches: readonly RateSearch[];
  readonly target: RefusalTarget;
  readonly placements: number;
  /** The requests at the times of a placement, the same ones each time. */
  readonly clientsPlaced: (placement: number) => SearchedClients;
}

/**
 * For each limit the smallest rate, of its own one and those above, that meets the target with every placement of
 * requests within their seconds; null: none does. A higher rate can refuse more, so that placements are tried again
 * after another one has raised the rate.
 */
export function findPlacedRates(
  advice: readonly WindowAdvice[],
  { searches, target, placements, clientsPlaced }: PlacedSearch,
): readonly (number | null)[] {
  // Without outliers the searches have the rate of each placement.
  const rates: (number | null)[] = advice.map(({ rate, search, outliers }) =>
    outliers === null ? mostOf(searches[search]!) : rate,
  );
  const metBy = advice.map(() => new Set<number>());
  const isOpen = (place: number, placement: number): boolean =>
    rates[place] !== null && !metBy[place]!.has(placement);
  const nextOpen = (): number | undefined =>
    Array.from({ length: placements }, (_, placement) => placement).find((placement) =>
      advice.some((_, place) => isOpen(place, placement)),
    );
  for (let placement = nextOpen(); placement !== undefined; placement = nextOpen()) {
    const of = clientsPlaced(placement);
    for (const [place, each] of advice.entries()) {
      if (!isOpen(place, placement)) continue;
      const rate = leastFrom(rates[place]!, each, searches, of, target);
      if (rate !== rates[place]) metBy[place]!.clear();
      metBy[place]!.add(placement);
      rates[place] = rate;
    }
  }
  return rates;
}

function mostOf({ found }: RateSearch): number | null {
  const rates = found!.placements.map(({ rate }) => rate);
  return rates.includes(null) ? null : Math.max(...rates.map((rate) => rate!));
}

/** The smallest rate from `from` on that meets the target for all clients but the outliers; null: none does. */
function leastFrom(
  from: number,
  { search, perUs, outliers }: WindowAdvice,
  searches: readonly RateSearch[],
  of: SearchedClients,
  target: RefusalTarget,
): number | null {
  const curve = startCurve(searches[search]!.rule, perUs, of);
  const left = new Set(outliers?.clients.map(({ client }) => client));
  const rest = left.size === 0 ? curve : curve.without(left);
  const totals = outliers?.totals ?? of.totals;
  const isMetAt = (rate: number): boolean => isTargetMet(rest.at(rate), target, totals);
  if (isMetAt(from)) return from;
  tryRates(curve);
  const least = findSmallestRate(rest, (refusals) => isTargetMet(refusals, target, totals));
  if (least === null) return null;
  let rate = Math.max(from, least);
  while (!isMetAt(rate)) rate++; // ends at a tried rate, since each of them above `least` meets the target
  return rate;
}
