// A change of a limit that loses requests, and one that loses none, for tests of the answer of weir diff.
import { answerDiff } from "#src/show/answers/diff.ts";
import type { UnansweredDiff } from "#src/studies/diff/result.ts";
import { diffOf, rulesOf, START_US } from "../../studies/diff/requests.ts";

export const sentence = (facts: UnansweredDiff, id: string): string | undefined =>
  answerDiff(facts).find((each) => each.id === id)?.text;

/** One client sends nine requests at once to /1, of which the new burst admits fewer. */
export const requests = Array.from({ length: 9 }, (_, at) => ({
  atUs: START_US + at,
  client: 0,
  path: 1,
}));
export const facts = diffOf(
  { before: rulesOf(1, 5), after: rulesOf(1, 2, "limit_conn a 1;") },
  requests,
);
export const without: UnansweredDiff = {
  ...facts,
  lost: 0,
  gained: 0,
  losers: 0,
  gainers: 0,
  changedClients: [],
  changedEndpoints: [],
};
