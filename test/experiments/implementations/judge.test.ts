import { expect, test } from "vitest";
import { judge } from "../../../src/experiments/implementations/judge.ts";
import { NO_TOTALS, type Result } from "../../../src/scenario/verdict.ts";

const result = (outcome: Result["outcome"]): Result => ({
  scenario: "behaviours/five-of-ten",
  file: "scenarios/behaviours/five-of-ten.yaml",
  variant: "",
  axes: {},
  driver: "remote",
  seed: 1,
  outcome,
  unsupported: outcome === "unsupported" ? ["it has no such limit"] : [],
  verdicts: [],
  because: [],
  decidedBy: [],
  ...NO_TOTALS,
  undecided: 0,
  virtualUs: 0,
});

const PROMISED = { holds: true, sentence: "It admits five.", source: "README.md" };
const EXCLUDED = { holds: false, sentence: "It admits twice as many.", source: "README.md" };

test.each([
  ["pass", null, false, "holds"],
  ["pass", EXCLUDED, false, "holds"],
  ["fail", PROMISED, false, "contradicts"],
  ["fail", PROMISED, true, "contradicts"],
  ["fail", EXCLUDED, false, "documented"],
  ["fail", null, true, "documented"],
  ["fail", null, false, "differs"],
  ["unsupported", PROMISED, false, "unsupported"],
  ["inconclusive", PROMISED, false, "open"],
  ["vacuous", PROMISED, false, "open"],
  ["error", PROMISED, false, "failed"],
] as const)("%s, claim %j, the model too %s: %s", (outcome, claim, isOfModel, verdict) => {
  const judged = judge("five-of-ten", result(outcome), claim, isOfModel);
  expect(judged.verdict).toBe(verdict);
  expect(judged.sentence === null).toBe(claim === null && !isOfModel);
});

test("what cannot be expressed has the sentence why", () => {
  expect(judge("x", result("unsupported"), null, false).evidence).toEqual(["it has no such limit"]);
});
