// Which candidate of weir try serves its clients best. docs/answer/try.md states this rule; no other place has it.
import { profileCalled } from "../../limiter/spec/profiles.ts";
import { specCalled } from "../../limiter/spec/by-algorithm.ts";
import type { TryRow } from "../../studies/try/result.ts";

/** Whether requests above the limit wait in the gateway. Such a candidate is chosen only if there is no other. */
export function isQueue({ algorithm, profile }: TryRow): boolean {
  const name = algorithm ?? profileCalled(profile)?.options["algorithm"];
  return specCalled(String(name))?.delays === true;
}

export type TryCriterion = "unadmitted" | "refused" | "p99" | "median" | "most";

/** The value of each criterion; the smallest one is the best. A wait that never ends is the longest. */
export const TRY_VALUES: Readonly<Record<TryCriterion, (row: TryRow) => number>> = {
  unadmitted: ({ gaveUp }) => gaveUp,
  refused: ({ refusedAttempts }) => refusedAttempts,
  p99: ({ successUs }) => successUs.p99 ?? Number.POSITIVE_INFINITY,
  median: ({ successUs }) => successUs.median ?? Number.POSITIVE_INFINITY,
  most: ({ mostInWindow }) => mostInWindow,
};

/** How far a value may be above the best one and still count as equal. */
type Slack = (best: number, row: TryRow) => number;
const countSlack: Slack = (best, { requests }) => Math.max(best / 10, requests / 100);
const waitSlack: Slack = (best) => Math.max(best / 10, 10_000); // microseconds

/** In the order of their importance. */
const CRITERIA: readonly (readonly [TryCriterion, Slack])[] = [
  ["unadmitted", countSlack],
  ["refused", countSlack],
  ["p99", waitSlack],
  ["median", waitSlack],
  ["most", (best) => best / 10],
];

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
  /** The first one of those that count as equal to the best one left out. */
  readonly next: TryRow;
}

/**
 * Each criterion leaves out the candidates that are clearly worse than the best one. Of those that are left,
 * `isPreferred` is chosen, or the first one.
 */
export function chooseTried(
  rows: readonly [TryRow, ...TryRow[]],
  isPreferred: (row: TryRow) => boolean = () => false,
): TryChoice {
  let left: readonly TryRow[] = rows;
  const leftOut: LeftOut[] = [];
  for (const [by, slack] of CRITERIA) {
    const better = bestOf(left, TRY_VALUES[by], slack);
    const out = left.filter((row) => !better.includes(row));
    left = better;
    if (out.length > 0)
      leftOut.push({ by, rows: out, next: bestOf(out, TRY_VALUES[by], slack)[0]! });
  }
  const best = left.find(isPreferred) ?? left[0]!;
  return { best, equal: left.filter((row) => row !== best), leftOut };
}

function bestOf(
  rows: readonly TryRow[],
  of: (row: TryRow) => number,
  slack: Slack,
): readonly TryRow[] {
  const best = Math.min(...rows.map(of));
  return rows.filter((row) => of(row) <= best + slack(best, row));
}
