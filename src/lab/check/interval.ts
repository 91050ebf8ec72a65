// A measure over uncertain times is an interval: the true value is between its ends. A comparison
// passes only if every value in the interval satisfies it, and fails only if none does.
import type { Comparison } from "../scenario/types.ts";
import type { Interval, Outcome } from "../scenario/verdict.ts";

export const exactly = (value: number): Interval => ({ from: value, to: value });

/** Uses a loop, because a run has more values than a function may have arguments. */
export const rangeOf = (values: readonly number[]): Interval =>
  values.reduce<Interval>(
    ({ from, to }, value) => ({ from: Math.min(from, value), to: Math.max(to, value) }),
    { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY },
  );

const satisfyingRange = (comparison: Comparison): Interval => {
  switch (comparison.op) {
    case "equals":
      return exactly(comparison.value);
    case "atLeast":
      return { from: comparison.value, to: Number.POSITIVE_INFINITY };
    case "atMost":
      return { from: Number.NEGATIVE_INFINITY, to: comparison.value };
    case "between":
      return { from: comparison.from, to: comparison.to };
  }
};

/** The ends of a comparison; null: it has none on that side. */
export function endsOf(comparison: Comparison): { least: number | null; most: number | null } {
  const { from, to } = satisfyingRange(comparison);
  return { least: Number.isFinite(from) ? from : null, most: Number.isFinite(to) ? to : null };
}

export const satisfies = (value: number, comparison: Comparison): boolean => {
  const range = satisfyingRange(comparison);
  return value >= range.from && value <= range.to;
};

export function compare(
  observed: Interval,
  comparison: Comparison,
): Extract<Outcome, "pass" | "fail" | "inconclusive"> {
  const range = satisfyingRange(comparison);
  if (observed.from >= range.from && observed.to <= range.to) return "pass";
  return observed.to < range.from || observed.from > range.to ? "fail" : "inconclusive";
}

export const formatInterval = (
  interval: Interval,
  format: (value: number) => string = String,
): string =>
  interval.from === interval.to
    ? format(interval.from)
    : `[${format(interval.from)}, ${format(interval.to)}]`;

export function formatComparison(
  comparison: Comparison,
  format: (value: number) => string = String,
): string {
  switch (comparison.op) {
    case "equals":
      return format(comparison.value);
    case "atLeast":
      return `at least ${format(comparison.value)}`;
    case "atMost":
      return `at most ${format(comparison.value)}`;
    case "between":
      return `between ${format(comparison.from)} and ${format(comparison.to)}`;
  }
}
