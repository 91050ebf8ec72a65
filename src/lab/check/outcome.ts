import type { ComparedRequests, Outcome } from "../scenario/verdict.ts";

/** The result of one checker; the caller adds the expectation's name, line and ids. */
export interface Finding {
  readonly outcome: Outcome;
  readonly observed: string;
  readonly expected: string;
  readonly examined: number;
  readonly open?: number; // decisions among the examined ones that the specification leaves open
  readonly evidence: readonly number[];
  readonly evidenceTotal: number; // number of rows before `evidence` was cut
  readonly compared?: ComparedRequests;
}

/** The most rows that a finding has as evidence and a report shows. */
export const MOST_EVIDENCE = 10;

export const finding = (
  outcome: Outcome,
  observed: string,
  expected: string,
  examined: number,
  evidence: readonly number[] = [],
): Finding => ({
  outcome,
  observed,
  expected,
  examined,
  evidence: evidence.slice(0, MOST_EVIDENCE),
  evidenceTotal: evidence.length,
});

/** The row that contradicts the expectation, and a few before it. It is the last, which `weir explain` is suggested for. */
export const evidenceUntil = (rows: readonly number[], at: number): readonly number[] =>
  rows.slice(Math.max(0, at - 4), at + 1);

/** The expectation cannot be evaluated: it has an error, or the history lacks its data. */
export const errorFinding = (why: string, expected: string): Finding =>
  finding("error", why, expected, 0);

/** A comparison of nothing proves nothing, even if zero satisfies it. */
export const vacuousIfNothing = (result: Finding): Finding =>
  result.examined === 0 && (result.outcome === "pass" || result.outcome === "inconclusive")
    ? { ...result, outcome: "vacuous" }
    : result;
