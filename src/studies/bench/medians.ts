// The numbers of a cell that tables, charts and targets show: medians, and multiples of the control.
import type { ConfidenceInterval } from "../../kit/stats/bootstrap.ts";
import { medianRange } from "../../kit/stats/median-range.ts";
import { summarise, type Spread, spreadOf } from "../../kit/stats/summary.ts";
import { hasEqualRefusals } from "./refusals.ts";
import { casesOf, type BenchResult, type BenchCellResult } from "./result.ts";

/** The largest difference of processes of equal code in the quiet pool (test/studies/bench/against/pools.test.ts). */
export const WORTH_OF_A_PROCESS = 0.15;

/** The spread over all repeats that have the metric; null if none has. */
export function spreadIn({ repeats }: BenchCellResult, metric: string): Spread | null {
  const values = repeats.flatMap(({ metrics }) => metrics[metric] ?? []);
  return values.length === 0 ? null : spreadOf(values);
}

/** The median of the cell with this name; null: there is no such cell, or no value. */
export function medianIn({ cells }: BenchResult, name: string, metric: string): number | null {
  const cell = cells.find((one) => one.name === name);
  return cell === undefined ? null : (spreadIn(cell, metric)?.median ?? null);
}

/** The cell that others are divided by: the control of a case, else Weir without a limit, the upstream or the base. */
export const yardstick = (
  { cells, metrics }: BenchResult,
  metric: string,
): BenchCellResult | null =>
  [metrics[metric]?.control ?? "unlimited", "upstream", "base"]
    .map((wanted) => cells.find(({ name }) => name === wanted))
    .find((cell) => cell !== undefined) ?? null;

/** The median of cell / control in each round: a slow machine slows both in a round. Null: no round has both values. */
export function timesOf(
  cell: BenchCellResult,
  control: BenchCellResult,
  metric: string,
): number | null {
  const ratios = ratiosOf(cell, control, metric).map(({ ratio }) => ratio);
  return ratios.length === 0 ? null : summarise(ratios).median;
}

const ratiosOf = (
  cell: BenchCellResult,
  control: BenchCellResult,
  metric: string,
): readonly { readonly start: number; readonly ratio: number }[] =>
  cell.repeats.flatMap(({ round, start = 0, metrics }) => {
    const own = metrics[metric];
    const other = control.repeats.find((repeat) => repeat.round === round)?.metrics[metric];
    return own === undefined || other === undefined || other === 0
      ? []
      : [{ start, ratio: own / other }];
  });

export interface TimesRange {
  readonly times: number; // as the table has it
  /** The likely range of `times`; null: too few rounds or starts. */
  readonly range: ConfidenceInterval | null;
  /** The least and the largest multiple of a round; null: no round has both values. */
  readonly extremes: ConfidenceInterval | null;
  /** Whether `range` excludes 1. */
  readonly isApart: boolean;
  /** Whether `isApart`, and by more than two processes of equal code may differ. */
  readonly isSeen: boolean;
}

/** How sure a multiple of the control is. Null: `timesShown` has none. */
export function timesRange(
  result: BenchResult,
  cell: BenchCellResult,
  control: BenchCellResult,
  metric: string,
): TimesRange | null {
  const times = timesShown(result, cell, control, metric);
  if (times === null) return null;
  const rounds = ratiosOf(cell, control, metric);
  const byStart = Map.groupBy(rounds, ({ start }) => start);
  const isRestarted = byStart.size > 1;
  // Ratios of one start are alike, because its processes are.
  const values = [...byStart.values()].flatMap((ratios) => {
    const all = ratios.map(({ ratio }) => ratio);
    return isRestarted ? [summarise(all).median] : all;
  });
  const range = medianRange(values);
  const all = rounds.map(({ ratio }) => ratio);
  const extremes = all.length === 0 ? null : { low: Math.min(...all), high: Math.max(...all) };
  const isApart = range !== null && (range.low > 1 || range.high < 1);
  return {
    times,
    range,
    extremes,
    isApart,
    isSeen: isApart && (isRestarted || isBeyondProcesses(times)),
  };
}

/** Whether a multiple is larger than two processes of equal code may differ. */
export const isBeyondProcesses = (times: number): boolean =>
  Math.max(times, 1 / times) > 1 + WORTH_OF_A_PROCESS;

/**
 * The cell's value as a multiple of the control's, for tables and charts. In a suite of parts: the ratio of the two
 * medians, as in targets. Null: a value is missing, or cell and control refused different shares of their requests.
 */
export function timesShown(
  result: BenchResult,
  cell: BenchCellResult,
  control: BenchCellResult,
  metric: string,
): number | null {
  if (casesOf(result).length === 0)
    return hasEqualRefusals(cell, control) ? timesOf(cell, control, metric) : null;
  const [own, other] = [spreadIn(cell, metric), spreadIn(control, metric)];
  return own === null || other === null || other.median === 0 ? null : own.median / other.median;
}
