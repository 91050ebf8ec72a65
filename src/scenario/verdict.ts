import type { Json } from "./types.ts";

/** Worst first. `vacuous`: nothing was examined. `inconclusive`: the timing leaves it open. */
export const OUTCOMES = ["fail", "error", "vacuous", "inconclusive", "pass"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const worst = (outcomes: Iterable<Outcome>): Outcome => {
  let index: number = OUTCOMES.length - 1;
  for (const outcome of outcomes) index = Math.min(index, OUTCOMES.indexOf(outcome));
  return OUTCOMES[index] ?? "pass";
};

export interface Interval {
  readonly from: number;
  readonly to: number;
}

export interface Verdict {
  readonly expectation: string;
  readonly line: number; // of the scenario file
  readonly proves: readonly string[];
  readonly outcome: Outcome;
  readonly observed: string; // "5*200 3*429", "2400", "[3, 5]"
  readonly expected: string;
  readonly examined: number; // how many requests, events or samples were looked at
  readonly evidence: readonly number[]; // rows of the history, at most ten
}

/** As people are told of it. */
export interface ToldVerdict extends Verdict {
  readonly requests: readonly string[]; // the evidence by name, as "first:6"
}

/** One variant of one scenario on one driver. */
export interface Result {
  readonly scenario: string;
  readonly file: string;
  readonly variant: string;
  readonly axes: Readonly<Record<string, Json>>;
  readonly driver: string;
  readonly seed: number;
  readonly outcome: Outcome | "unsupported";
  readonly unsupported: readonly string[]; // why it was not played, in sentences
  readonly verdicts: readonly ToldVerdict[];
  readonly because: readonly string[]; // of the budgets that decided, each the ids of its requirements
  readonly requests: number;
  readonly undecided: number; // of them the times leave open what they should have been answered
  readonly refused: number;
  readonly virtualUs: number;
  readonly playedBefore?: number; // times it was played in vain: its store was late
}

/** A variant as a run calls it. */
export const fullName = (scenario: string, variant: string): string =>
  variant === "" ? scenario : `${scenario} ${variant}`;
