import { expect, test } from "vitest";
import { groupByRequirement } from "#src/lab/check/by-requirement.ts";
import type { Outcome, Result } from "#src/lab/scenario/verdict.ts";
import type { Requirement } from "#src/limiter/spec/requirements.ts";
import { result, verdict } from "../../histories/result.ts";

const requirement = (id: string): Requirement => ({
  id,
  tier: "required",
  section: "",
  text: "",
  state: "built",
});
const [first, second] = [requirement("LIM-1"), requirement("LIM-2")];

const resultOf = (
  scenario: string,
  variant: string,
  ...verdicts: readonly (readonly [Outcome, ...string[]])[]
): Result =>
  result({
    scenario,
    variant,
    verdicts: verdicts.map(([outcome, ...proves]) => verdict({ proves, outcome })),
  });

test("the worst verdict that counts for a requirement is its outcome", () => {
  const results = [
    resultOf("a", "x", ["pass", "LIM-1"], ["vacuous", "LIM-1", "LIM-2"]),
    resultOf("a", "y", ["fail", "LIM-2"]),
    resultOf("b", "", ["pass", "LIM-1"], ["pass", "LIM-1"]),
  ];
  expect(groupByRequirement([first, second], results)).toEqual([
    { requirement: first, outcome: "vacuous", scenarios: ["a", "b"], variants: 2 },
    { requirement: second, outcome: "fail", scenarios: ["a"], variants: 2 },
  ]);
});

test("a requirement without verdicts has no outcome, and unsupported results do not count", () => {
  const unsupported: Result = { ...resultOf("a", "", ["pass", "LIM-1"]), outcome: "unsupported" };
  expect(groupByRequirement([first], [unsupported, resultOf("b", "", ["fail", "LIM-2"])])).toEqual([
    { requirement: first, outcome: null, scenarios: [], variants: 0 },
  ]);
});
