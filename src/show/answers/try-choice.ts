// Which candidate of weir try serves its clients best. docs/answer/try.md states this rule; no other place has it.
import { profileCalled } from "../../limiter/spec/profiles.ts";
import { specCalled } from "../../limiter/spec/by-algorithm.ts";
import { drawsOf, middleOf, valuesOf } from "../../studies/try/draw-values.ts";
import type { DrawFigures, TryRow, UnansweredTry } from "../../studies/try/result.ts";

/** Whether requests above the limit wait in the gateway. Such a candidate is chosen only if there is no other. */
export function isQueue({ algorithm, profile }: TryRow): boolean {
  const name = algorithm ?? profileCalled(profile)?.options["algorithm"];
  return specCalled(String(name))?.delays === true;
}

export type TryCriterion = "unadmitted" | "refused" | "p99" | "median";

/** The value of each criterion; the smallest one is the best. A wait that never ends is the longest. */
export const TRY_VALUES: Readonly<Record<TryCriterion, (draw: DrawFigures) => number>> = {
  unadmitted: ({ gaveUp }) => gaveUp,
  refused: ({ refusedAttempts }) => refusedAttempts,
  p99: ({ successUs }) => successUs.p99 ?? Number.POSITIVE_INFINITY,
  median: ({ successUs }) => successUs.median ?? Number.POSITIVE_INFINITY,
};

/** How far a value may be above the best one and still count as equal. */
type Slack = (best: number, draw: DrawFigures, budgets: number) => number;
const countSlack: Slack = (best, { requests }, budgets) =>
  Math.max(best / 10, requests / 100) + budgets;
const waitSlack: Slack = (best) => Math.max(best / 10, 10_000); // microseconds

export const SLACK: Readonly<Record<TryCriterion, Slack>> = {
  // Where most requests are above the limit, a tenth of those may be more than all that are admitted.
  unadmitted: (best, draw, budgets) =>
    Math.min(countSlack(best, draw, 0), (draw.requests - best) / 10) + budgets,
  refused: countSlack,
  p99: waitSlack,
  median: waitSlack,
};

/** In the order of their importance. */
const COUNTS = ["unadmitted", "refused"] as const satisfies readonly TryCriterion[];
const CRITERIA = [...COUNTS, "p99", "median"] as const satisfies readonly TryCriterion[];

/** Without retries and queues a request is admitted at once or never, so that the waits repeat the refusals. */
const criteriaFor = (rows: readonly TryRow[]): readonly TryCriterion[] =>
  rows.every((row) => row.retry === "none" && !isQueue(row)) ? COUNTS : CRITERIA;

/** The part of the requests above the limit that no limiter can admit; chance alone makes a few. */
const LEAST_BEYOND = { even: 1 / 100, drawn: 1 / 20 } as const;

/** Whether planned requests clearly exceed the limit over at least two windows, so that none can admit them in time. */
export const isOverloaded = (
  row: TryRow,
  { forUs, population }: Pick<UnansweredTry, "forUs" | "population">,
): boolean =>
  forUs >= 2 * row.perUs &&
  drawsOf(row).every(
    ({ demand, requests }) =>
      demand.beyond > requests * LEAST_BEYOND[population === "even" ? "even" : "drawn"],
  );

/** Whether the algorithm can never exceed the limit. */
export const keepsLimit = ({ mostPossible, rate }: TryRow): boolean =>
  mostPossible !== null && mostPossible <= rate;

export interface TryChoice {
  readonly best: TryRow;
  /** The others with the same numbers in every draw. */
  readonly equal: readonly TryRow[];
  /** The others that no criterion leaves out. */
  readonly similar: readonly TryRow[];
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
 * Each criterion leaves out the candidates that are clearly worse than the best one in every draw. Of those that are
 * left, the best one is chosen, or `isPreferred`. Under overload, a budget that is
 * full at the start admits once what others do not; in a longer run this counts for nothing, so it does not here.
 */
export function chooseTried(
  rows: readonly [TryRow, ...TryRow[]],
  facts: Pick<UnansweredTry, "forUs" | "population">,
  isPreferred: (row: TryRow) => boolean = () => false,
): TryChoice {
  const isFull = isOverloaded(rows[0], facts);
  let left: readonly TryRow[] = rows;
  const leftOut = new Map<TryCriterion, readonly TryRow[]>();
  for (const by of criteriaFor(rows)) {
    const first = bestBy(left, by);
    const most = (best: number, draw: DrawFigures): number =>
      best + SLACK[by](best, draw, isFull ? Math.floor(first.rate) * draw.demand.over : 0);
    const out = left.filter((row) => isWorse(row, first, by, most));
    left = left.filter((row) => !out.includes(row));
    if (out.length > 0) leftOut.set(by, out);
  }
  const best = left.find(isPreferred) ?? left.toSorted(compareTried)[0]!;
  // The chosen one need not be the best in each criterion: a row is left out if it is worse than that in every draw.
  const worse = [...leftOut].flatMap(([by, out]): readonly LeftOut[] => {
    const rowsOut = out.filter((row) => isWorse(row, best, by, (value) => value));
    return rowsOut.length === 0 ? [] : [{ by, rows: rowsOut, next: bestBy(rowsOut, by) }];
  });
  const others = rows.filter((row) => row !== best && !worse.some((out) => out.rows.includes(row)));
  const equal = others.filter((row) => isEqual(row, best));
  return { best, equal, similar: others.filter((row) => !equal.includes(row)), leftOut: worse };
}

const middleBy = (row: TryRow, by: TryCriterion): number => middleOf(valuesOf(row, TRY_VALUES[by]));

export const bestBy = (rows: readonly TryRow[], by: TryCriterion): TryRow =>
  rows.reduce((best, row) => (middleBy(row, by) < middleBy(best, by) ? row : best));

/** The better one first; of two equal ones the one that never exceeds the limit. */
function compareTried(a: TryRow, b: TryRow): number {
  for (const by of CRITERIA) {
    const [own, other] = [middleBy(a, by), middleBy(b, by)];
    if (own !== other) return own < other ? -1 : 1;
  }
  return Number(keepsLimit(b)) - Number(keepsLimit(a));
}

/** Pairs the draws of two rows by their seeds; the only draw of a row without random times is paired with each. */
export function pairDraws(a: TryRow, b: TryRow): readonly (readonly [DrawFigures, DrawFigures])[] {
  const [own, others] = [drawsOf(a), drawsOf(b)];
  return Array.from({ length: Math.max(own.length, others.length) }, (_, at) => [
    own[at] ?? own[0],
    others[at] ?? others[0],
  ]);
}

/** Whether a row is above what the other one leaves room for, in every draw. */
export const isWorse = (
  row: TryRow,
  best: TryRow,
  by: TryCriterion,
  most: (best: number, draw: DrawFigures) => number,
): boolean =>
  pairDraws(row, best).every(
    ([own, other]) => TRY_VALUES[by](own) > most(TRY_VALUES[by](other), other),
  );

const isEqual = (row: TryRow, best: TryRow): boolean =>
  pairDraws(row, best).every(([own, other]) =>
    CRITERIA.every((by) => TRY_VALUES[by](own) === TRY_VALUES[by](other)),
  );

/** The similar rows that are neither better nor worse than the chosen one by this criterion in every draw. */
export const listNear = ({ best, similar }: TryChoice, by: TryCriterion): readonly TryRow[] =>
  similar.filter(
    (row) => !isWorse(row, best, by, (value) => value) && !isWorse(best, row, by, (value) => value),
  );

/** The comparison that shows best why: by what is served, if that leaves a candidate out. */
export const mainReason = ({ leftOut }: TryChoice): LeftOut | undefined =>
  leftOut.findLast(({ by }) => by === "unadmitted" || by === "refused") ?? leftOut[0];
