import type { Micros } from "../../kit/units.ts";
import { FOREIGN_DRIVER, type BudgetText } from "./history.ts";
import type { ServedClients } from "./served-clients.ts";
import type { Json } from "../../kit/reading/shape.ts";

/** Worst first. `vacuous`: nothing was examined. `inconclusive`: the times allow both outcomes. */
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
  readonly line: number; // in the scenario file
  readonly proves: readonly string[];
  readonly outcome: Outcome;
  readonly observed: string; // "5*200 3*429", "2400", "[3, 5]"
  readonly expected: string;
  readonly examined: number; // number of requests, events or samples that were examined
  readonly open?: number; // examined decisions for which the specification allows both outcomes
  readonly evidence: readonly number[]; // rows of the history, at most ten
  readonly evidenceTotal: number; // number of rows before the cut
  readonly compared?: ComparedRequests; // of a failed count of requests
}

/** The numbers of a comparison that failed, and whose requests they are. */
export interface ComparedRequests {
  readonly clients: readonly string[]; // empty: all
  readonly flows: readonly string[]; // empty: all
  readonly statuses: readonly number[] | null; // null: any
  readonly windowUs: Micros | null; // admitted in any window of this length; null: in the whole run
  readonly offered: number; // requests with any status
  readonly observed: Interval;
  readonly least: number | null;
  readonly most: number | null;
}

/** A verdict with what a report shows in addition. */
export interface ReportedVerdict extends Verdict {
  readonly requests: readonly string[]; // the evidence by name, as "first:6"
}

/**
 * Requests by result. A limit refuses; anything else that turns a request away rejects it (LIM-C16). A lost request got
 * no response (LIM-C18).
 */
export interface Totals {
  readonly requests: number;
  readonly admitted: number;
  readonly delayed: number; // admitted requests that waited for their turns (ALG-C10)
  readonly refused: number; // status 429, or 403 for a quota
  readonly rejected: number;
  readonly lost: number;
  readonly losses: readonly LostRequests[]; // the most frequent reason first
  readonly rejections: Readonly<Record<string, number>>; // by status
  readonly peak: Peak | null;
}

/** The requests lost for one reason, and when they were sent. */
export interface LostRequests {
  readonly cause: string; // a sentence without a full stop
  readonly requests: number;
  readonly first: string; // "first:6", or "request 17" for a retry
  readonly fromUs: Micros;
  readonly toUs: Micros;
}

/** The most requests admitted in any window of this length. */
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

/** A scope of budgets that decided requests, with the ids of its requirements. */
export interface DecidedBy {
  readonly scope: BudgetText["scope"];
  readonly because: readonly string[];
}

/** One variant of one scenario on one driver. */
export interface Result extends Totals {
  /** Set if the scenario has `lists: [clients]`. */
  readonly perClient?: ServedClients;
  readonly scenario: string;
  readonly file: string;
  readonly variant: string;
  readonly axes: Readonly<Record<string, Json>>;
  readonly driver: string;
  /** The flag that names the gateway of the driver `remote`. */
  readonly against?: string;
  readonly seed: number;
  readonly outcome: Outcome | "unsupported";
  readonly unsupported: readonly string[]; // sentences that explain why the variant did not run
  readonly verdicts: readonly ReportedVerdict[];
  readonly because: readonly string[]; // requirement ids of all budgets that decided
  readonly decidedBy: readonly DecidedBy[]; // scopes of the budgets that decided
  readonly undecided: number; // requests whose times leave the decision open
  readonly virtualUs: number;
  readonly hints?: readonly string[]; // a sentence for each default that decided the result
  readonly why?: string; // why the request that the first failed expectation ends with got its response; in exact time
  readonly playedBefore?: number; // number of earlier runs that a busy machine left inconclusive
  readonly stretch?: number; // the factor by which this run was slowed down
}

/** The name of a variant in a run. */
export const fullName = (scenario: string, variant: string): string =>
  variant === "" ? scenario : `${scenario} ${variant}`;

/** The largest share of open decisions with which a real-time run proves something about Weir's own gateways. */
export const MOST_OPEN = 0.02;

/**
 * Whether open decisions mean a busy machine: Weir's gateways report when they decide. A foreign gateway does not, so
 * the order of simultaneous requests is always open, and only the expectations show what is proved.
 */
const reportsDecisions = ({ driver }: Pick<Result, "driver">): boolean =>
  driver !== "virtual" && driver !== FOREIGN_DRIVER;

export const isLeftOpen = (result: Result): boolean =>
  result.outcome === "inconclusive" ||
  (reportsDecisions(result) && result.undecided > result.requests * MOST_OPEN);

/** Whether too many decisions of Weir's own gateways are open for a proof. */
export function isMostlyOpen(results: readonly Result[]): boolean {
  const own = results.filter(reportsDecisions);
  const sum = (of: (result: Result) => number): number =>
    own.reduce((total, result) => total + of(result), 0);
  return sum(({ undecided }) => undecided) > sum(({ requests }) => requests) * MOST_OPEN;
}

/** The results. In a run that is mostly open, variants with open decisions are inconclusive instead of passed. */
export const withoutUnproven = (results: readonly Result[]): readonly Result[] =>
  isMostlyOpen(results)
    ? results.map((result) =>
        result.outcome === "pass" && isLeftOpen(result)
          ? { ...result, outcome: "inconclusive" }
          : result,
      )
    : results;

/** Whether a real-time run shows nothing: it left variants inconclusive, and none passed or failed. */
export const showsNothing = (results: readonly Result[]): boolean =>
  results.some((result) => result.outcome === "inconclusive" && result.driver !== "virtual") &&
  results.every(({ outcome }) => outcome === "inconclusive" || outcome === "unsupported");
