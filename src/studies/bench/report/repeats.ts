// One figure for a metric: every repeat of every cell, the median, and the likely range of the true median.
import { rng } from "../../../kit/chance/rng.ts";
import type { RowMark, MeasuredRow, RowsFigure } from "../../../lab/report/measured-figures.ts";
import { medianInterval } from "../../../kit/stats/bootstrap.ts";
import { LEAST_REPEATS } from "../compare/verdict.ts";
import { figure } from "../../../kit/reading/legible.ts";
import { casesOf, metricOf, type BenchResult, type BenchCellResult } from "../result.ts";
import { summarise } from "../../../kit/stats/summary.ts";
import { timesShown, yardstick } from "../medians.ts";

const RESAMPLING = { resamples: 1_000, confidence: 0.95 };

/** Empty if no cell has the metric. */
export function repeatsFigure(result: BenchResult, metric: string): readonly RowsFigure[] {
  const { unit, about } = metricOf(result, metric);
  const measured = result.cells.filter((cell) => valuesOf(cell, metric).length > 0);
  if (measured.length === 0) return [];
  const control = yardstick(result, metric);
  const reference = control === null ? [] : valuesOf(control, metric);
  return [
    {
      kind: "rows",
      title: `${about}, ${metric}`,
      unit: unit === "" ? metric : unit,
      scale: "linear",
      from: 0,
      to: 1.05 * Math.max(...measured.flatMap((cell) => valuesOf(cell, metric)), Number.MIN_VALUE),
      band: null,
      references:
        reference.length === 0
          ? []
          : [{ at: summarise(reference).median, what: `median of ${control!.name}` }],
      rows: measured.map((cell) => rowOf(cell, metric, control, result)),
    },
  ];
}

const valuesOf = ({ repeats }: BenchCellResult, metric: string): readonly number[] =>
  repeats.flatMap(({ metrics }) => metrics[metric] ?? []);

function rowOf(
  cell: BenchCellResult,
  metric: string,
  control: BenchCellResult | null,
  result: BenchResult,
): MeasuredRow {
  const { name, role, repeats } = cell;
  const { unit } = metricOf(result, metric);
  const amount = (value: number): string => `${figure(value)}${unit === "" ? "" : ` ${unit}`}`;
  const values = valuesOf(cell, metric);
  const { median, min, max } = summarise(values);
  const isFew = values.length < LEAST_REPEATS;
  const { low, high } = isFew
    ? { low: min, high: max }
    : medianInterval(values, RESAMPLING, rng(result.seed, `bench/report/${name}/${metric}`));
  const times =
    control === null || control === cell ? null : timesShown(result, cell, control, metric);
  const tone = role === "control" ? "control" : "own";
  const tip = `median ${amount(median)}, ${isFew ? `of ${values.length} repeats from` : "likely from"} ${amount(low)} to ${amount(high)}`;
  return {
    what: name,
    isControl: role === "control",
    value: `${amount(median)}${times === null ? "" : `, x ${figure(times)}`}`,
    tone,
    marks: [
      { shape: "rule", from: low, to: high, tone, tip },
      ...repeats.flatMap(({ round, metrics }): readonly RowMark[] => {
        const value = metrics[metric];
        return value === undefined
          ? []
          : [
              {
                shape: "dot",
                from: value,
                to: value,
                tone,
                tip: `${amount(value)} in round ${round}`,
              },
            ];
      }),
      { shape: "tick", from: median, to: median, tone, tip },
    ],
  };
}

export function repeatsNotes(result: BenchResult): readonly string[] {
  const cases = casesOf(result);
  const control = yardstick(result, cases[0] ?? "cpu");
  const fewest = Math.min(...result.cells.map(({ repeats }) => repeats.length));
  return [
    `A ring is a repeat, the upright mark the median, and the line ${fewest < LEAST_REPEATS ? `the range: fewer than ${LEAST_REPEATS} repeats predict no others` : "the likely interval of the median of endless repeats (95 %, by bootstrap)"}. Controls are grey, with names in brackets${control === null ? "" : `; x is the ratio to ${cases.length > 1 ? "the control of the case" : control.name}${cases.length > 0 ? ", of the medians" : ", round by round"}, whose median is the dashed line`}.`,
  ];
}
