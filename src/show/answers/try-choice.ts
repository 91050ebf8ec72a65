// Which candidate of weir try serves its clients best. docs/answer/try.md states this rule; no other place has it.
import { profileCalled } from "../../limiter/spec/profiles.ts";
import { specCalled } from "../../limiter/spec/by-algorithm.ts";
import type { TryRow, UnansweredTry } from "../../studies/try/result.ts";

/** Whether requests above the limit wait in the gateway. Such a candidate is chosen only if there is no other. */
export function isQueue({ algorithm, profile }: TryRow): boolean {
  const name = algorithm ?? profileCalled(profile)?.options["algorithm"];
  return specCalled(String(name))?.delays === true;
}

export type TryCriterion = "unadmitted" | "refused" | "p99" | "median";

/** The value of each criterion; the smallest one is the best. A wait that never ends is the longest. */
export const TRY_VALUES: Readonly<Record<TryCriterion, (row: TryRow) => number>> = {
  unadmitted: ({ gaveUp }) => gaveUp,
  refused: ({ refusedAttempts }) => refusedAttempts,
  p99: ({ successUs }) => successUs.p99 ?? Number.POSITIVE_INFINITY,
  median: ({ successUs }) => successUs.median ?? Number.POSITIVE_INFINITY,
};

/** How far a value may be above the best one and still count as equal. */
type Slack = (best: number, row: TryRow, budgets: number) => number;
const countSlack: Slack = (best, { requests }, budgets) =>
  Math.max(best / 10, requests / 100) + budgets;
const waitSlack: Slack = (best) => Math.max(best / 10, 10_000); // microseconds

/** In the order of their importance. */
const CRITERIA: readonly (readonly [TryCriterion, Slack])[] = [
  ["unadmitted", countSlack],
  ["refused", countSlack],
  ["p99", waitSlack],
  ["median", waitSlack],
];

/** Whether planned requests clearly exceed the limit over at least two windows, so that none can admit them in time. */
export const isOverloaded = (
  { demand, requests, perUs }: TryRow,
  { forUs }: Pick<UnansweredTry, "forUs">,
): boolean => forUs >= 2 * perUs && demand.beyond > requests / 20;

/** Whether the algorithm can never exceed the limit. */
export const keepsLimit = ({ mostPossible, rate }: TryRow): boolean =>
  mostPossible !== null && mostPossible <= rate;

export interface TryChoice {
  readonly best: TryRow;
  /** The others that no criterion leaves out. */
  readonly equal: readonly TryRow[];
  readonly leftOut: readonly LeftOut[];
}

export interface LeftOut {
  readonly by: TryCriterion;
  /** Not empty. */
  readonly rows: readonly TryRow[];
  /** The best one of them. */
  readonly next: TryRow;
}

/**
 * Each criterion leaves out the candidates that are clearly worse than the best one. Of those that are left,
 * `isPreferred` is chosen, or the first one. Under overload, a budget that is
 * full at the start admits once what others do not; in a longer run this counts for nothing, so it does not here.
 */
export function chooseTried(
  rows: readonly [TryRow, ...TryRow[]],
  facts: Pick<UnansweredTry, "forUs">,
  isPreferred: (row: TryRow) => boolean = () => false,
): TryChoice {
  const [{ rate, demand }] = rows;
  const budgets = isOverloaded(rows[0], facts) ? Math.floor(rate) * demand.over : 0;
  let left: readonly TryRow[] = rows;
  const leftOut: LeftOut[] = [];
  for (const [by, slack] of CRITERIA) {
    const better = bestOf(left, TRY_VALUES[by], (best, row) => slack(best, row, budgets));
    const out = left.filter((row) => !better.includes(row));
    left = better;
    if (out.length > 0)
      leftOut.push({ by, rows: out, next: bestOf(out, TRY_VALUES[by], () => 0)[0]! });
  }
  const best = left.find(isPreferred) ?? left[0]!;
  return { best, equal: left.filter((row) => row !== best), leftOut };
}

function bestOf(
  rows: readonly TryRow[],
  of: (row: TryRow) => number,
  slack: (best: number, row: TryRow) => number,
): readonly TryRow[] {
  const best = Math.min(...rows.map(of));
  return rows.filter((row) => of(row) <= best + slack(best, row));
}
