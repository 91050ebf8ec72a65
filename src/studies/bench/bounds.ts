// Checks bounds start by start: part of the cost of a process is decided at its start, so one start proves nothing.
import { figure, many } from "../../kit/reading/legible.ts";
import { summarise, type Summary } from "../../kit/stats/summary.ts";
import { hasEqualRefusals } from "./refusals.ts";
import { metricOf, type BenchCellResult, type BenchRepeat, type BenchResult } from "./result.ts";
import { controlName, loadPartOf } from "./subjects.ts";
import type { BenchBound } from "./suite.ts";

interface BoundResult {
  readonly text: string;
  readonly measured: Summary | null; // over all starts; null: no value, so the bound proves nothing
  readonly starts: number;
  readonly broken: number; // the number of starts that exceeded the bound
}

/**
 * A cell outside the run has no result. A cell without values neither keeps nor breaks its bound: it has no repeats,
 * shares no round with its control, or refused another share than the control. A bound for every cell applies to the
 * cells that have its metric.
 */
export const boundResults = (result: BenchResult): readonly BoundResult[] =>
  (result.bounds ?? []).flatMap((bound) => {
    const cells = result.cells.filter(
      ({ name, role }) => role === "cell" && (bound.cell ?? name) === name,
    );
    const measured = cells.filter((cell) => valuesIn(cell, bound.metric).length > 0);
    const bounded = bound.cell === null && measured.length > 0 ? measured : cells;
    return bounded.map((cell) => resultOf(bound, cell, result));
  });

function resultOf(bound: BenchBound, cell: BenchCellResult, result: BenchResult): BoundResult {
  const { metric } = bound;
  const repeats = "most" in bound ? valuesIn(cell, metric) : ratiosIn(cell, bound, result);
  const byStart = Map.groupBy(repeats, ({ start }) => start);
  const starts = [...byStart.values()].map(
    (all) => summarise(all.map(({ value }) => value)).median,
  );
  const most = "most" in bound ? bound.most : bound.times;
  const amount =
    "most" in bound
      ? `${figure(most)} ${metricOf(result, metric).unit}`.trim()
      : `${figure(most)} times ${controlName(bound.control, loadPartOf(cell.name))}`;
  return {
    text: `${metric} of ${cell.name}: at most ${amount}`,
    measured: starts.length === 0 ? null : summarise(starts),
    starts: starts.length,
    broken: starts.filter((value) => value > most).length,
  };
}

interface RepeatValue {
  readonly start: number;
  readonly round: number;
  readonly value: number;
}

const valuesIn = (cell: BenchCellResult | undefined, metric: string): readonly RepeatValue[] =>
  (cell?.repeats ?? []).flatMap(({ start = 0, round, metrics }: BenchRepeat) => {
    const value = metrics[metric];
    return value === undefined ? [] : [{ start, round, value }];
  });

/** Divides each value by the control's value of the same round, so that a slow phase affects both values. */
function ratiosIn(
  cell: BenchCellResult,
  { metric, control }: Extract<BenchBound, { readonly times: number }>,
  { cells }: BenchResult,
): readonly RepeatValue[] {
  const name = controlName(control, loadPartOf(cell.name));
  const other = cells.find((one) => one.name === name);
  if (other !== undefined && !hasEqualRefusals(cell, other)) return [];
  const others = valuesIn(other, metric);
  return valuesIn(cell, metric).flatMap(({ value, ...own }) => {
    const divisor = others.find(({ round }) => round === own.round)?.value ?? 0;
    return divisor === 0 ? [] : [{ ...own, value: value / divisor }];
  });
}

export function boundLine({ text, measured, starts, broken }: BoundResult): string {
  if (measured === null) return `bound not measured: ${text}; no repeat has a value for it`;
  const all = many(starts, "start");
  const howOften = broken === 0 ? `kept in ${all}` : `broken in ${broken} of ${all}`;
  const { median, min, max } = measured;
  return `bound ${howOften}: ${text}; measured ${figure(median)} (${figure(min)} to ${figure(max)})`;
}
