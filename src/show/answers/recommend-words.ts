// Parts of the sentences of weir recommend: the rate that the target needs, and the clients that raise it.
import { exactPercent, thousands } from "../../kit/reading/legible.ts";
import type {
  RecommendationAdvice,
  RecommendedCandidate,
  UnansweredRecommendation,
} from "../../studies/recommend/result.ts";
import { clientWords, MOST_NAMED, namesOrCount } from "./words.ts";

type Facts = Pick<UnansweredRecommendation, "target">;
type Outliers = NonNullable<RecommendationAdvice["outliers"]>;

/** What the rate below would miss of the target. */
export const belowWords = (
  { rateForRequests, rateForClients }: RecommendedCandidate,
  { target }: Facts,
): string =>
  rateForRequests! >= rateForClients!
    ? `over ${exactPercent(target.requests)} of the requests`
    : `requests of over ${exactPercent(target.clients)} of the clients`;

export const namesOf = ({
  clients,
}: {
  readonly clients: readonly { readonly client: string }[];
}): string =>
  namesOrCount(
    clients.map(({ client }) => clientWords(client)),
    "clients",
  );

/** The names of clients that an earlier sentence has named or counted. */
export const theseOf = (outliers: Outliers): string =>
  outliers.clients.length <= MOST_NAMED ? namesOf(outliers) : `these ${namesOf(outliers)}`;

/** Who raises a limit, and to how much. Of the others some may need more than the limit, in the target's shares. */
export function needOf(
  outliers: Outliers,
  { rate }: Pick<RecommendationAdvice, "rate">,
  withAll: number,
): string {
  const { clients, needMore, othersPeak } = outliers;
  const isOne = clients.length === 1;
  return needMore && othersPeak === rate
    ? `only ${namesOf(outliers)} ${isOne ? "needs" : "need"} more; with ${isOne ? "it" : "them"} the limit would be ${thousands(withAll)}`
    : `${namesOf(outliers)} alone would raise it to ${thousands(withAll)}`;
}

/** The target is about requests that are not bad, and numbers of requests are those of them. */
export const notBad = ({ badRequests }: Pick<UnansweredRecommendation, "badRequests">): string =>
  badRequests === 0 ? "" : " that are not bad";
