import type { History } from "../scenario/history.ts";
import { many } from "../reading/legible.ts";
import type { Outcome } from "../scenario/verdict.ts";

/** What one checker says; the expectation's name, line and ids are put on by whoever called it. */
export interface Finding {
  readonly outcome: Outcome;
  readonly observed: string;
  readonly expected: string;
  readonly examined: number;
  readonly evidence: readonly number[];
  readonly evidenceTotal: number; // how many rows it was cut from
}

/** Whoever has to look for each piece of evidence looks for no more than are shown. */
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

/** The expectation cannot be evaluated: its own fault, or the history lacks what it asks for. */
export const unanswerable = (why: string, expected: string): Finding =>
  finding("error", why, expected, 0);

/** A comparison that nothing was put to proves nothing, whatever it says of zero. */
export const vacuousIfNothing = (found: Finding): Finding =>
  found.examined === 0 && (found.outcome === "pass" || found.outcome === "inconclusive")
    ? { ...found, outcome: "vacuous" }
    : found;

/** What holds for every request that was answered may not hold for one that got lost. */
export const openWhereLost = (
  found: Finding,
  { unanswered }: Pick<History, "unanswered">,
): Finding => (unanswered > 0 && found.outcome === "pass" ? open(found, unanswered) : found);

export const open = (found: Finding, unanswered: number): Finding => ({
  ...found,
  outcome: "inconclusive",
  observed: `${found.observed}, with ${many(unanswered, "request")} unanswered`,
});
