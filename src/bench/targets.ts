// Targets of the suites that measure parts. They are printed with the measurements, and fail nothing.
import { summarise, type Better, type Summary } from "../stats/summary.ts";
import { figure } from "../reading/legible.ts";
import { metricOf, type BenchResult } from "./result.ts";
import type { BenchTarget } from "./suite.ts";

interface TargetResult {
  readonly text: string;
  readonly measured: Summary;
  readonly isMet: boolean;
}

/** By the median. A target whose cells were never measured in the same round has no result. */
export const targetsOf = (result: BenchResult, metric: string): readonly TargetResult[] =>
  (result.metrics[metric]?.targets ?? []).flatMap((target) => {
    const values = valuesFor(target, result, metric);
    return values.length === 0 ? [] : [resultOf(target, summarise(values), result, metric)];
  });

function valuesFor(target: BenchTarget, result: BenchResult, metric: string): readonly number[] {
  const own = byRound(result, target.cell, metric);
  if ("value" in target) return [...own.values()];
  const { better } = metricOf(result, metric);
  const best = better === "less" ? Math.min : Math.max;
  const others = target.against.map((cell) => byRound(result, cell, metric));
  return [...own].flatMap(([round, value]) => {
    const rivals = others.flatMap((each) => each.get(round) ?? []);
    return rivals.length < others.length ? [] : [advantage(value, best(...rivals), better)];
  });
}

const advantage = (value: number, other: number, better: Better): number =>
  better === "less" ? other / value : value / other;

const byRound = ({ cells }: BenchResult, cell: string, metric: string): Map<number, number> =>
  new Map(
    (cells.find(({ name }) => name === cell)?.repeats ?? []).flatMap(({ round, metrics }) => {
      const value = metrics[metric];
      return value === undefined ? [] : [[round, value] as const];
    }),
  );

function resultOf(
  target: BenchTarget,
  measured: Summary,
  result: BenchResult,
  metric: string,
): TargetResult {
  const { unit, better } = metricOf(result, metric);
  const { cell } = target;
  if ("value" in target) {
    const [words, isMet] =
      better === "less"
        ? ["at most", measured.median <= target.value]
        : ["at least", measured.median >= target.value];
    return { text: `${cell}: ${words} ${figure(target.value)} ${unit}`, measured, isMet };
  }
  const { against, times } = target;
  const rival = against.length === 1 ? against[0] : `the best of ${against.join(", ")}`;
  const text =
    times >= 1
      ? `${cell}: at least ${figure(times)} times as good as ${rival}`
      : `${cell}: within ${figure(1 / times)} times ${rival}`;
  return { text, measured, isMet: measured.median >= times };
}

export const targetLine = ({ text, measured: { median, min, max }, isMet }: TargetResult): string =>
  `target ${isMet ? "met" : "not met"}: ${text}; measured ${figure(median)} (${figure(min)} to ${figure(max)})`;
