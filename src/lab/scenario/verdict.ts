import type { Micros } from "../../kit/units.ts";
import { FOREIGN_DRIVER, type BudgetText } from "./history.ts";
import type { ServedClients } from "./served-clients.ts";
import type { Json } from "../../kit/reading/shape.ts";

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
  readonly open?: number; // of the examined decisions, if compared with the specification: it allows both outcomes
  readonly evidence: readonly number[]; // rows of the history, at most ten
  readonly evidenceTotal: number; // how many there are
}

/** With what a report shows in addition. */
export interface ReportedVerdict extends Verdict {
  readonly requests: readonly string[]; // the evidence by name, as "first:6"
}

/**
 * The requests by their result. A limit refuses; everything else that turns a request away rejects it (LIM-C16). A lost one
 * got no response (LIM-C18).
 */
export interface Totals {
  readonly requests: number;
  readonly admitted: number;
  readonly delayed: number; // of the admitted ones: they waited for their turns (ALG-C10)
  readonly refused: number; // 429, or 403 of a quota
  readonly rejected: number;
  readonly lost: number;
  readonly losses: readonly LostRequests[]; // the most frequent reason first
  readonly rejections: Readonly<Record<string, number>>; // by status
  readonly peak: Peak | null;
}

/** The requests that are lost for one reason, and when they were sent. */
export interface LostRequests {
  readonly cause: string; // a sentence without a full stop
  readonly requests: number;
  readonly first: string; // "first:6", or "request 17" for a retry
  readonly fromUs: Micros;
  readonly toUs: Micros;
}

/** The most admitted in any window of this length. */
export interface Peak {
  readonly admitted: number;
  readonly perUs: Micros;
}

export const NO_TOTALS: Totals = {
  requests: 0,
  admitted: 0,
  delayed: 0,
  refused: 0,
  rejected: 0,
  lost: 0,
  losses: [],
  rejections: {},
  peak: null,
};

/** Budgets of one scope exist because of the same requirements. */
export interface DecidedBy {
  readonly scope: BudgetText["scope"];
  readonly because: readonly string[];
}

/** One variant of one scenario on one driver. */
export interface Result extends Totals {
  /** Of a scenario with `lists: [clients]`. */
  readonly perClient?: ServedClients;
  readonly scenario: string;
  readonly file: string;
  readonly variant: string;
  readonly axes: Readonly<Record<string, Json>>;
  readonly driver: string;
  /** Of the driver `remote`: the option that names the gateway. */
  readonly against?: string;
  readonly seed: number;
  readonly outcome: Outcome | "unsupported";
  readonly unsupported: readonly string[]; // why it was not run, in sentences
  readonly verdicts: readonly ReportedVerdict[];
  readonly because: readonly string[]; // ids of requirements, of all budgets that decided
  readonly decidedBy: readonly DecidedBy[]; // kinds of budgets
  readonly undecided: number; // requests whose times do not fix the right response
  readonly virtualUs: number;
  readonly hints?: readonly string[]; // where a default decided
  readonly playedBefore?: number; // earlier runs without a verdict, because the machine was too busy
  readonly stretch?: number; // the factor by which the run was slowed down
}

/** The name of a variant in a run. */
export const fullName = (scenario: string, variant: string): string =>
  variant === "" ? scenario : `${scenario} ${variant}`;

/** Above this share of open decisions, a run in real time proves nothing about Weir's own gateways. */
export const MOST_OPEN = 0.02;

/**
 * A gateway of Weir reports when it decided, so open decisions are those of a busy machine. One of others reports nothing:
 * there the order of requests at once is always open, and each expectation alone states what is shown.
 */
const reportsDecisions = ({ driver }: Pick<Result, "driver">): boolean =>
  driver !== "virtual" && driver !== FOREIGN_DRIVER;

export const isLeftOpen = (result: Result): boolean =>
  result.outcome === "inconclusive" ||
  (reportsDecisions(result) && result.undecided > result.requests * MOST_OPEN);

/** Whether the open decisions of Weir's own gateways are too many for a proof. */
export function isMostlyOpen(results: readonly Result[]): boolean {
  const own = results.filter(reportsDecisions);
  const sum = (of: (result: Result) => number): number =>
    own.reduce((total, result) => total + of(result), 0);
  return sum(({ undecided }) => undecided) > sum(({ requests }) => requests) * MOST_OPEN;
}

/** The results as they count: in a run that is mostly open, a variant with open decisions has not passed. */
export const withoutUnproven = (results: readonly Result[]): readonly Result[] =>
  isMostlyOpen(results)
    ? results.map((result) =>
        result.outcome === "pass" && isLeftOpen(result)
          ? { ...result, outcome: "inconclusive" }
          : result,
      )
    : results;

/** In real time an inconclusive variant has not failed. If nothing passed besides, the run shows nothing. */
export const showsNothing = (results: readonly Result[]): boolean =>
  results.some((result) => result.outcome === "inconclusive" && result.driver !== "virtual") &&
  results.every(({ outcome }) => outcome === "inconclusive" || outcome === "unsupported");
