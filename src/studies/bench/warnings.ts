// Warnings that a reader of a result needs before using it.
import { many } from "../../kit/reading/legible.ts";
import type { SubjectRepeat } from "./result-of.ts";
import { refusalShare } from "./cells.ts";
import { refusalText, percentRefused } from "./refusals.ts";
import { type LoadFigures, refusalShareOf } from "./load/load.ts";
import { summarise } from "../../kit/stats/summary.ts";
import type { BenchSubject } from "./subjects.ts";
import type { Suite } from "./suite.ts";

interface MeasuredLoad extends SubjectRepeat {
  readonly figures: LoadFigures;
}

/** The largest accepted distance between the measured and the expected share of refusals. */
const FAR = 0.2;

export function warningsOf(
  { keyCount }: Pick<Suite, "keyCount">,
  measured: readonly MeasuredLoad[],
  /** Whether a target was measured: its limits are unknown, so its refusals are not examined. */
  isTarget = false,
): readonly string[] {
  const bySubject = Map.groupBy(measured, ({ subject }) => subject);
  return [...bySubject].flatMap(([subject, all]) => [
    ...errorsIn(subject, all),
    ...(isTarget ? [] : refusalsIn(subject, all, keyCount)),
    ...overrunsIn(subject, all),
  ]);
}

function errorsIn({ name }: BenchSubject, all: readonly MeasuredLoad[]): readonly string[] {
  const errors = sum(all, ({ repeat }) => repeat.errors);
  if (errors === 0) return [];
  return [
    `${name}: ${many(errors, "error")} (${describeErrors(all.map(({ figures }) => figures))})`,
  ];
}

export function describeErrors(all: readonly LoadFigures[]): string {
  const unanswered = sum(all, (figures) => figures.unanswered);
  const statuses = new Map<string, number>();
  for (const figures of all)
    for (const [status, count] of Object.entries(figures.statuses))
      if (!/^(?:2..|429)$/.test(status)) statuses.set(status, (statuses.get(status) ?? 0) + count);
  return [
    ...(unanswered === 0 ? [] : [`${unanswered} without an answer`]),
    ...[...statuses].map(([status, count]) => `${count} with ${status}`),
  ].join(", ");
}

function refusalsIn(
  { name, factors }: BenchSubject,
  all: readonly MeasuredLoad[],
  keyCount: number,
): readonly string[] {
  const answered = all.filter(({ figures }) => figures.answers > 0);
  if (answered.length === 0) return [];
  const expected = factors === null ? 0 : refusalShare(factors, keyCount);
  const percents = answered.map(({ figures }) => refusalShareOf(figures) * 100);
  const refused = percentRefused(
    answered.map(({ figures: { answers } }, at) => ({
      answers,
      metrics: { refused: percents[at]! },
    })),
  )!;
  const { median, min, max } = summarise(percents);
  const range =
    max - min < 1 ? "" : ` (${refusalText(min)} to ${refusalText(max)} in single repeats)`;
  const text = `${name}: ${refusalText(refused)} were refused${range}`;
  if (expected === 0 && (factors === null || factors.demand < 1))
    return refused === 0 ? [] : [`${text}, although the load is below every limit`];
  if (factors === null || factors.demand <= 1) return [];
  // In a closed loop, a quick refusal makes its connection send again at once, so more than the expected share may be
  // refused. The median is examined too, because slow repeats can offset others in the sum.
  const isFar = [refused / 100, median / 100].some(
    (share) =>
      expected - share > FAR || (factors.load_model !== "closed" && share - expected > FAR),
  );
  return isFar ? [`${text}, and about ${refusalText(expected * 100)} are expected`] : [];
}

function overrunsIn({ name }: BenchSubject, all: readonly MeasuredLoad[]): readonly string[] {
  const reasons = all.flatMap(({ figures }) => figures.sending?.overran ?? []);
  const [first] = reasons;
  return first === undefined
    ? []
    : [
        `${name}: the load generator overran in ${reasons.length} of ${all.length} repeats: ${first}`,
      ];
}

const sum = <T>(all: readonly T[], of: (each: T) => number): number =>
  all.reduce((total, each) => total + of(each), 0);
