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

/** What the rate below would miss of the target by its refusals in the log; null: it misses no part by these. */
export const belowWords = (
  { below }: Pick<RecommendedCandidate, "below">,
  { target }: Pick<Facts, "target">,
): string | null =>
  below === "requests"
    ? `over ${exactPercent(target.requests)} of the requests`
    : below === "clients"
      ? `requests of over ${exactPercent(target.clients)} of the clients`
      : null;

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

/** Clients that the first sentence has named or counted. */
export const theseClients = ({ length }: NamedClients): string =>
  length === 1 ? "this client" : `these ${thousands(length)}`;

/** One client by its name, several by their number: a sentence of their own names them. */
export const nameOrCount = (clients: NamedClients): string =>
  clients.length === 1 ? namesOf({ clients }) : `${thousands(clients.length)} clients`;

const peakWords = (peak: number | null): string =>
  peak === null ? "more than any rate" : thousands(peak);

/** "203.0.113.66 needs 240 at its peak (93.3 % of its requests are refused), 203.0.113.9 120 (40.0 %) and ...". */
export function peaksOf({ clients }: Outliers): string {
  if (clients.length > MOST_NAMED) {
    const [most, least] = [clients[0]!, clients.at(-1)!];
    return `these ${thousands(clients.length)} need ${peakWords(least.peak)} (${clientWords(least.client)}) to ${peakWords(most.peak)} (${clientWords(most.client)}) at their peaks`;
  }
  const shareOf = ({ refused, requests }: Outliers["clients"][number]): string =>
    percent(refused / Math.max(1, requests));
  return listWords(
    clients.map((each, at) =>
      at === 0
        ? `${clientWords(each.client)} needs ${peakWords(each.peak)} at the peak (${shareOf(each)} refused)`
        : `${clientWords(each.client)} ${peakWords(each.peak)} (${shareOf(each)})`,
    ),
  );
}

/** Who raises a limit, and to how much. Of the others some may need more than the limit, in the target's shares. */
export function needOf(
  outliers: Outliers,
  { rate }: Pick<RecommendationAdvice, "rate">,
  withAll: number,
): string {
  const { clients, needMore, othersPeak } = outliers;
  const isOne = clients.length === 1;
  return needMore && othersPeak === rate
    ? `only ${nameOrCount(clients)} ${isOne ? "needs" : "need"} more; with ${isOne ? "it" : "them"} the limit would be ${thousands(withAll)}`
    : `${nameOrCount(clients)} alone would raise it to ${thousands(withAll)}`;
}

/** The target is about requests that are not bad, and numbers of requests are those of them. */
export const notBad = ({ badRequests }: Pick<UnansweredRecommendation, "badRequests">): string =>
  badRequests === 0 ? "" : " that are not bad";

export const subjectOf = (facts: Facts): string =>
  isOneBudget(facts) ? "all clients together" : "each client";

/** The limits to ship. */
export const limitsToShip = ({ ship, advice }: Facts): readonly RecommendationAdvice[] =>
  ship.map((place) => advice[place]!);

type PlacedFacts = Pick<Facts, "timestamps" | "cut">;

/** Whether another rate is enough whenever requests come within their whole seconds. */
export const hasPlacedRate = (
  { rate, placedRate }: RecommendationAdvice,
  { timestamps, cut }: PlacedFacts,
): boolean => placedRate !== rate && timestamps !== "finer" && cut?.isAdvised !== false;

/** "5 per second", with the rate that is enough whenever requests come within their whole seconds, if it is higher. */
export function limitWords(advice: RecommendationAdvice, facts: PlacedFacts): string {
  const { rate, perUs, placedRate } = advice;
  const words = rateWords(rate, perUs);
  if (!hasPlacedRate(advice, facts)) return words;
  return `${words} (${placedRate === null ? "none" : thousands(placedRate)} for any timing in a second)`;
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

/** "it is a customer", of clients that the first sentence has named or counted. */
export const customerWords = ({ length }: NamedClients): string =>
  length === 1 ? "it is a customer" : "they are customers";

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
