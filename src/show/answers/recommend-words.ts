// Parts of the sentences of weir recommend: the rate that the target needs, and the clients that raise it.
import { exactPercent, plural, thousands } from "../../kit/reading/legible.ts";
import type {
  RecommendationAdvice,
  RecommendedCandidate,
  UnansweredRecommendation,
} from "../../studies/recommend/result.ts";
import { clientWords, namesOrCount } from "./words.ts";

type Facts = Pick<UnansweredRecommendation, "target">;
type Outliers = NonNullable<RecommendationAdvice["outliers"]>;

/** What the rate below would miss; empty for a rate of 1. */
export function belowClause(
  rate: number,
  { rateForRequests, rateForClients }: RecommendedCandidate,
  facts: Facts,
): string {
  if (rate === 1) return "";
  const { requests, clients } = facts.target;
  const missed =
    rateForRequests! >= rateForClients!
      ? `more than ${exactPercent(requests)} of the requests`
      : `requests of more than ${exactPercent(clients)} of the clients`;
  return `; ${thousands(rate - 1)} would refuse ${missed}`;
}

/** The part of the target that decides the rate of a candidate. */
export const promiseOf = (
  { rateForRequests, rateForClients }: RecommendedCandidate,
  { target }: Facts,
): string =>
  rateForRequests! >= rateForClients!
    ? `at most ${exactPercent(target.requests)} of the requests`
    : `requests of at most ${exactPercent(target.clients)} of the clients`;

export const namesOf = ({
  clients,
}: {
  readonly clients: readonly { readonly client: string }[];
}): string =>
  namesOrCount(
    clients.map(({ client }) => clientWords(client)),
    "clients",
  );

export const pronoun = ({ clients }: Outliers): string => (clients.length === 1 ? "it" : "them");

/** What the rate takes with the outliers. Others may need more than the rate without them too, in the target's shares. */
export function needOf(outliers: Outliers, rate: number, withAll: number, promise = ""): string {
  const takes = `${promise === "" ? "" : `to refuse ${promise} `}it takes ${thousands(withAll)} with`;
  return outliers.needMore
    ? `only ${namesOf(outliers)} ${plural(outliers.clients.length, "needs", "need")} more than ${thousands(outliers.othersPeak!)}, and ${takes} ${pronoun(outliers)}`
    : `${takes} ${namesOf(outliers)}, and ${thousands(rate)} without ${pronoun(outliers)}`;
}
