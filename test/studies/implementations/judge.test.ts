import { expect, test } from "vitest";
import { judge } from "#src/studies/implementations/judge.ts";
import type { Result } from "#src/lab/scenario/verdict.ts";
import { result, verdict } from "../../histories/result.ts";

const resultOf = (outcome: Result["outcome"], observed = "6 of 10"): Result =>
  outcome === "unsupported"
    ? result({ outcome, unsupported: ["it has no such limit"], verdicts: [] })
    : result({
        scenario: "behaviours/five-of-ten",
        outcome,
        verdicts: [verdict({ expectation: "five for alice", outcome, observed, expected: "5" })],
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
  const judged = judge(
    "five-of-ten",
    resultOf(outcome),
    claim,
    resultOf(isOfModel ? "fail" : "pass"),
  );
  expect(judged.verdict).toBe(verdict);
  expect(judged.sentence === null).toBe(claim === null && !isOfModel);
});

test("what cannot be expressed has the sentence why", () => {
  expect(judge("x", resultOf("unsupported"), null, null).evidence).toEqual([
    "it has no such limit",
  ]);
});

const LATE =
  "; requests came up to 15ms late, and each was decided as the specification allows at its own time";

test.each([
  ["as the algorithm at exact times", `6 of 10${LATE}`, null, "documented"],
  ["as the algorithm, and as a sentence", `6 of 10${LATE}`, EXCLUDED, "documented"],
  ["as the algorithm, which a sentence excludes", `6 of 10${LATE}`, PROMISED, "open"],
  ["otherwise than the algorithm", `7 of 10${LATE}`, null, "open"],
  ["not for certain", "[5, 6] of 9", null, "open"],
] as const)("late requests that differ %s", (_, observed, claim, verdict) => {
  const late = resultOf("inconclusive", observed);
  expect(judge("five-of-ten", late, claim, resultOf("fail")).verdict).toBe(verdict);
  expect(judge("five-of-ten", late, claim, resultOf("pass")).verdict).toBe("open");
});

test("one expectation that differs as the algorithm does decides, if others are open", () => {
  const late = resultOf("inconclusive", `6 of 10${LATE}`);
  const other = { ...late.verdicts[0]!, expectation: "five for bob", observed: "2 are open" };
  const both = { ...late, verdicts: [other, ...late.verdicts] };
  expect(judge("five-of-ten", both, EXCLUDED, resultOf("fail")).verdict).toBe("documented");
  const alone = { ...late, verdicts: [other] };
  expect(judge("five-of-ten", alone, EXCLUDED, resultOf("fail")).verdict).toBe("open");
});
