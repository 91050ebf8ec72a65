// The limits to ship as limits that decide, with what each refuses: those of the first sentence, of the files and charts.
import type { ReplayLimit } from "../replay/candidates.ts";
import { outliersIn, type WindowAdvice } from "./advice.ts";
import type { EdgeClient } from "./edge.ts";
import type { OmittedClients, RateSearch, Recommendation } from "./recommendation.ts";
import type { Refusals } from "./refusals.ts";

export interface ShippedLimit {
  readonly limit: ReplayLimit;
  readonly refusals: Pick<Refusals, "ids">; // of all clients but those that were left out
  readonly edge: readonly EdgeClient[];
  readonly outliers: readonly number[]; // the clients that it is not for
}

export const limitOf = (
  { search, perUs, rate }: Pick<WindowAdvice, "search" | "perUs" | "rate">,
  searches: readonly RateSearch[],
): ReplayLimit => ({ kind: "limit", limit: { rate, perUs }, ...searches[search]!.rule });

/** If the search was interrupted before the advice, the limit for all clients. */
export function listShipped({
  ship,
  advice,
  searches,
  choice,
}: Pick<Recommendation, "ship" | "advice" | "searches" | "choice">): readonly ShippedLimit[] {
  if (advice.length === 0) return choice === null ? [] : [{ ...choice, outliers: [] }];
  return ship.map((place) => {
    const own = advice[place]!;
    return {
      limit: limitOf(own, searches),
      refusals: own.atRate.find((each) => each.search === own.search)!.refused,
      edge: own.outliers?.edge ?? searches[own.search]!.found!.edge,
      outliers: own.outliers?.clients.map(({ client }) => client) ?? [],
    };
  });
}

/** The outliers of all windows, and the limits that are not for them. */
export const omitOutliers = ({
  advice,
  searches,
}: Pick<Recommendation, "advice" | "searches">): OmittedClients => ({
  clients: outliersIn(advice),
  limits: advice.flatMap(({ search, perUs, rate, outliers }) =>
    outliers === null ? [] : [{ rule: searches[search]!.rule, perUs, rate }],
  ),
});
