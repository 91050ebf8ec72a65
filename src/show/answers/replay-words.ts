// Words for the candidates of a replay.
import { perWords, rateWords } from "../../kit/reading/periods.ts";
import type { ReplayedCandidate, UnansweredReplay } from "../../studies/replay/result.ts";
import { thousands } from "../../kit/reading/legible.ts";
import { clientWords, limiterWords } from "./words.ts";

export const nameOf = (candidate: ReplayedCandidate): string =>
  candidate.world === null ? limiterWords(candidate) : clientWords(candidate.world);

/** "GCRA (one at once)": a burst explains more of its refusals than its name does. */
export const burstNameOf = (candidate: ReplayedCandidate): string =>
  candidate.burst === null
    ? nameOf(candidate)
    : `${nameOf(candidate)} (${candidate.burst === 1 ? "one" : thousands(candidate.burst)} at once)`;

/** "60 per minute", or "20,000 units per minute" of requests with costs. */
export const limitWords = (
  { rate, perUs }: ReplayedCandidate,
  cost: UnansweredReplay["cost"],
): string =>
  cost === null ? rateWords(rate!, perUs!) : `${thousands(rate!)} units per ${perWords(perUs!)}`;

/** "60 per minute by a token bucket", without the limit if all candidates have it, or the world. */
export const titleOf = (
  candidate: ReplayedCandidate,
  { candidates, cost }: UnansweredReplay,
): string =>
  candidate.world !== null || candidates.every(({ limit }) => limit === candidate.limit)
    ? nameOf(candidate)
    : `${limitWords(candidate, cost)} by ${nameOf(candidate)}`;

/** Whether all requests count as one client, so that there are no others. */
export const isOneClient = ({ key, clients }: UnansweredReplay): boolean =>
  key === "none" || clients === 1;
