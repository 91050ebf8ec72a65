// Parts of the sentences of weir recommend: the rate that the target needs, and the clients that raise it.
import { rateWords } from "../../kit/reading/periods.ts";
import { countText, exactPercent, percent, thousands } from "../../kit/reading/legible.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import type {
  RecommendationAdvice,
  RecommendedCandidate,
  UnansweredRecommendation,
} from "../../studies/recommend/result.ts";
import { isOneBudget } from "../../studies/recommend/text.ts";
import { clientWords, listWords, MOST_NAMED, namesOrCount } from "./words.ts";

type Facts = UnansweredRecommendation;
type Outliers = NonNullable<RecommendationAdvice["outliers"]>;

/** What the rate below would miss of the target. */
export const belowWords = (
  { rateForRequests, rateForClients }: RecommendedCandidate,
  { target }: Pick<Facts, "target">,
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

type NamedClients = readonly { readonly client: string }[];

/** The names of clients that an earlier sentence has named or counted. */
export const theseClients = (clients: NamedClients): string =>
  `${clients.length <= MOST_NAMED ? "" : "these "}${namesOf({ clients })}`;

export const theseOf = ({ clients }: Outliers): string => theseClients(clients);

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

export const subjectOf = (facts: Facts): string =>
  isOneBudget(facts) ? "all clients together" : "each client";

/** The limits to ship. */
export const limitsToShip = ({ ship, advice }: Facts): readonly RecommendationAdvice[] =>
  ship.map((place) => advice[place]!);

/** What limits need if requests have other times within their whole seconds, as the end of a sentence. */
export function placementWords(limits: readonly RecommendationAdvice[], facts: Facts): string {
  const needs = limits.flatMap(({ candidate, outliers, rate, perUs }) => {
    const rates = facts.candidates[candidate]!.placements.map((each) => each.rate);
    if (outliers !== null || rates.includes(null)) return [];
    const most = Math.max(rate, ...rates.map((each) => each!));
    return most > rate ? [rateWords(most, perUs)] : [];
  });
  return needs.length === 0
    ? ""
    : `; if the requests of a second come closer together, it takes up to ${listWords(needs)}`;
}

interface RefusedCounts {
  readonly refused: number;
  readonly refusedClients: number;
}

/** "refuses none of the 1,653 requests", or "refuses 5 of 2,103 requests (0.2 %), of 2 of 41 clients". */
export function wordsOfRefusals({ refused, refusedClients }: RefusedCounts, facts: Facts): string {
  const { requests, clients } = facts;
  const all = `${countText(requests, "request")}${notBad(facts)}`;
  if (refused === 0) return `refuses none of the ${all}`;
  const ofClients = isOneBudget(facts)
    ? ""
    : `, of ${thousands(refusedClients)} of ${thousands(clients)} clients`;
  return `refuses ${thousands(refused)} of ${all} (${percent(refused / requests)})${ofClients}`;
}

/** "192.0.2.10 is a customer". */
export const customerWords = (clients: NamedClients): string =>
  `${theseClients(clients)} ${clients.length === 1 ? "is a customer" : "are customers"}`;

/** That more is refused than the target allows of all clients, and what to do then; null: it is not. */
export function breachOf(
  { refused, refusedClients }: RefusedCounts,
  facts: Facts,
  then: string,
  numbers: AnswerSentence["numbers"],
): AnswerSentence | null {
  const { target, requests, clients } = facts;
  const sentence = (share: number, what: string, allowed: number): AnswerSentence => ({
    id: "breach",
    text: `That is ${percent(share)} of all ${what}, above the ${exactPercent(allowed)} of the target: ${then}.`,
    numbers: { refused, requests, refusedClients, clients, ...numbers },
  });
  if (isAbove(refused, requests, target.requests))
    return sentence(refused / requests, `requests${notBad(facts)}`, target.requests);
  return isAbove(refusedClients, clients, target.clients)
    ? sentence(refusedClients / clients, "clients", target.clients)
    : null;
}

const isAbove = (count: number, of: number, share: number): boolean => count > share * of + 1e-9;
