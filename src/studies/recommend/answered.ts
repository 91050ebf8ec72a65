// The limit of the answer as a candidate: the chosen one, with the rate without outliers if there are some.
import { cut, many, oneLine, thousands } from "../../kit/reading/legible.ts";
import type { RecommendedCandidate, UnansweredRecommendation } from "./result.ts";

type Facts = Pick<UnansweredRecommendation, "advice" | "candidates" | "requests" | "clients">;

/** A candidate, and the clients that its rate is not for. */
export interface AnsweredCandidate extends RecommendedCandidate {
  readonly without: string | null;
}

/** The candidate at the rate of its window's answer; null: it has another one, or is not the answer. */
export function atAnswer(
  candidate: RecommendedCandidate,
  { advice, candidates, requests, clients }: Facts,
): AnsweredCandidate | null {
  const own = advice.find((each) => candidates[each.candidate] === candidate);
  if (own === undefined || own.outliers === null) return null;
  const { refused, refusedClients, badRefused, badRefusedClients } = own.atRate.find(
    (each) => each.candidate === own.candidate,
  )!;
  const { clients: outliers, interval, edge } = own.outliers;
  const [first] = outliers;
  return {
    ...candidate,
    limit: own.limit,
    rate: own.rate,
    refused,
    refusedShare: refused / requests,
    refusedClients,
    refusedClientShare: refusedClients / clients,
    badRefused,
    badRefusedClients,
    mostInWindow: own.mostInWindow,
    interval,
    edge,
    without: outliers.length === 1 ? cut(oneLine(first!.client)) : many(outliers.length, "client"),
  };
}

/** All candidates, and after each that has outliers the limit without them. */
export const withAnswers = (facts: Facts): readonly (RecommendedCandidate | AnsweredCandidate)[] =>
  facts.candidates.flatMap((each) => [each, ...[atAnswer(each, facts) ?? []].flat()]);

/** The limits of the answer. If the search was interrupted before the advice, the one for all clients. */
export function listAnswers(
  facts: Facts & Pick<UnansweredRecommendation, "choice" | "ship">,
): readonly RecommendedCandidate[] {
  const { advice, ship, choice, candidates } = facts;
  const own =
    advice.length === 0 ? [choice ?? []].flat() : ship.map((place) => advice[place]!.candidate);
  return own.map((index) => atAnswer(candidates[index]!, facts) ?? candidates[index]!);
}

export const nameOf = ({
  algorithm,
  profile,
}: Pick<RecommendedCandidate, "algorithm" | "profile">): string =>
  profile === null ? String(algorithm) : `profile ${profile}`;

export const rateText = (rate: number | null): string => (rate === null ? "none" : thousands(rate));
