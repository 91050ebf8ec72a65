// Results of runs, for sentences about them.
import { NO_TOTALS, type ReportedVerdict, type Result } from "#src/lab/scenario/verdict.ts";

export const resultOf = (axes: Result["axes"], counts: Partial<Result> = {}): Result => ({
  ...NO_TOTALS,
  scenario: "limits/a",
  file: "a.yaml",
  variant: JSON.stringify(axes),
  axes,
  driver: "virtual",
  seed: 1,
  outcome: "pass",
  unsupported: [],
  verdicts: [],
  because: [],
  decidedBy: [],
  undecided: 0,
  virtualUs: 0,
  requests: 50,
  ...counts,
});

export const bucket = resultOf({ algorithm: "token_bucket" }, { refused: 12 });
export const log = resultOf({ algorithm: "sliding_log" }, { refused: 33 });

export const checked = (
  outcome: ReportedVerdict["outcome"],
  more: Partial<ReportedVerdict> = {},
): ReportedVerdict => ({
  expectation: "at most ten are admitted",
  line: 1,
  proves: [],
  outcome,
  observed: "12",
  expected: "at most 10",
  examined: 12,
  evidence: [],
  evidenceTotal: 0,
  requests: [],
  ...more,
});
