// Admitted against allowed requests, as in a document of weir bench truth.
import { truthFooterOf } from "#src/studies/bench/truth-schema.ts";
import {
  TRUTH_FORMAT,
  type SubjectTruth,
  type TruthResult,
} from "#src/studies/bench/truth-schema.ts";
import { SECOND } from "#src/kit/units.ts";
import { resultOf } from "./bench-results.ts";

export const subject = (different: Partial<SubjectTruth>): SubjectTruth => ({
  name: "gcra memory",
  role: "cell",
  algorithm: "gcra",
  store: "memory",
  rate: 50,
  answers: 2_000,
  admitted: 1_050,
  errors: 0,
  byGateway: [
    {
      us: SECOND,
      count: 20,
      overshoot: { worst: 0.5, mean: 0.05 },
      undershoot: { worst: 0.125, mean: 0.01 },
    },
  ],
  bySender: [],
  most: 75,
  inFlight: 2,
  bound: { most: 99, because: "50 at once" },
  lengths: [{ us: SECOND, most: 75, stated: 99 }],
  tooSoon: 0,
  faults: [],
  verdict: "within",
  ...different,
});

export const control = subject({
  name: "twice the rate",
  role: "control",
  most: 120,
  lengths: [{ us: SECOND, most: 120, stated: 99 }],
  faults: ["120 in 1s, where at most 99 are allowed"],
  verdict: "outside",
});

export function truth(...subjects: readonly SubjectTruth[]): TruthResult {
  const { machine } = resultOf([], []);
  return {
    format: TRUTH_FORMAT,
    suite: { id: "truth", title: "What is admitted" },
    startedAt: "2026-01-02T03:04:05.000Z",
    tookSeconds: 60,
    argv: ["bench", "truth"],
    seed: 1,
    machine,
    limit: { rate: 50, perUs: SECOND },
    perSecond: 100,
    lastsUs: SECOND,
    subjects,
    stopped: null,
    warnings: [],
    footer: truthFooterOf(subjects),
  };
}
