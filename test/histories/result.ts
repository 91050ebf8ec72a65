// A result as a run could have it: five of six requests pass.
import { NO_TOTALS, type Result, type ReportedVerdict } from "#src/lab/scenario/verdict.ts";

export const verdict = (more: Partial<ReportedVerdict> = {}): ReportedVerdict => ({
  expectation: "five pass, one does not",
  line: 12,
  proves: ["LIM-1"],
  outcome: "pass",
  observed: "5*200 429",
  expected: "5*200 429",
  examined: 6,
  evidence: [],
  evidenceTotal: 0,
  requests: [],
  ...more,
});

export function result(more: Partial<Result> = {}): Result {
  const scenario = more.scenario ?? "limits/one";
  return {
    scenario,
    file: `scenarios/${scenario}.yaml`,
    variant: "",
    axes: {},
    driver: "virtual",
    seed: 1,
    outcome: "pass",
    unsupported: [],
    verdicts: [verdict()],
    because: [],
    decidedBy: [],
    ...NO_TOTALS,
    requests: 6,
    admitted: 5,
    refused: 1,
    undecided: 0,
    virtualUs: 0,
    ...more,
  };
}
