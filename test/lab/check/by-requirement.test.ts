import { expect, test } from "vitest";
import { groupByRequirement } from "#src/lab/check/by-requirement.ts";
import { NO_TOTALS, type Outcome, type Result } from "#src/lab/scenario/verdict.ts";
import type { Requirement } from "#src/limiter/spec/requirements.ts";

const requirement = (id: string): Requirement => ({
  id,
  tier: "required",
  section: "",
  text: "",
  state: "built",
});
const [first, second] = [requirement("LIM-1"), requirement("LIM-2")];

const result = (
  scenario: string,
  variant: string,
  ...verdicts: readonly (readonly [Outcome, ...string[]])[]
): Result => ({
  scenario,
  file: "",
  variant,
  axes: {},
  driver: "virtual",
  seed: 1,
  outcome: "pass",
  unsupported: [],
  verdicts: verdicts.map(([outcome, ...proves]) => ({
    expectation: "",
    line: 1,
    proves,
    outcome,
    observed: "",
    expected: "",
    examined: 1,
    evidence: [],
    evidenceTotal: 0,
    requests: [],
  })),
  because: [],
  decidedBy: [],
  ...NO_TOTALS,
  undecided: 0,
  virtualUs: 0,
});

test("the worst verdict that counts for a requirement is its outcome", () => {
  const results = [
    result("a", "x", ["pass", "LIM-1"], ["vacuous", "LIM-1", "LIM-2"]),
    result("a", "y", ["fail", "LIM-2"]),
    result("b", "", ["pass", "LIM-1"], ["pass", "LIM-1"]),
  ];
  expect(groupByRequirement([first, second], results)).toEqual([
    { requirement: first, outcome: "vacuous", scenarios: ["a", "b"], variants: 2 },
    { requirement: second, outcome: "fail", scenarios: ["a"], variants: 2 },
  ]);
});

test("a requirement without verdicts has no outcome, and unsupported results do not count", () => {
  const unsupported: Result = { ...result("a", "", ["pass", "LIM-1"]), outcome: "unsupported" };
  expect(groupByRequirement([first], [unsupported, result("b", "", ["fail", "LIM-2"])])).toEqual([
    { requirement: first, outcome: null, scenarios: [], variants: 0 },
  ]);
});
