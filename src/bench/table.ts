// A result as lines for a terminal.
import { figure } from "./figure.ts";
import type { BenchResult, CellResult } from "./result.ts";
import { summarise, type Spread, spreadOf } from "../stats/summary.ts";
import { METRICS, type MetricName } from "./suite.ts";

/** Of all repeats in which it was measured; null where it never was. */
export function spreadIn({ repeats }: CellResult, metric: MetricName): Spread | null {
  const values = repeats.flatMap(({ metrics }) => metrics[metric] ?? []);
  return values.length === 0 ? null : spreadOf(values);
}

/** Beside which the others stand: what a limit costs, or else what everything does. */
export const yardstick = ({ cells }: BenchResult): CellResult | null =>
  ["unlimited", "upstream", "base"]
    .map((wanted) => cells.find(({ name }) => name === wanted))
    .find((cell) => cell !== undefined) ?? null;

/** Formed in each round and then summed up: what slows one half of a pair slows the other too. */
export function timesOf(cell: CellResult, control: CellResult, metric: MetricName): number | null {
  const ratios = cell.repeats.flatMap(({ round, metrics }) => {
    const own = metrics[metric];
    const other = control.repeats.find((repeat) => repeat.round === round)?.metrics[metric];
    return own === undefined || other === undefined || other === 0 ? [] : [own / other];
  });
  return ratios.length === 0 ? null : summarise(ratios).median;
}

export interface Row {
  readonly cell: CellResult;
  readonly texts: readonly string[]; // one for each column
}

export interface Table {
  readonly heads: readonly string[];
  readonly rows: readonly Row[];
}

/** With the control first that all are compared with, in the order of the suite otherwise. */
export function tableOf(result: BenchResult): Table {
  const control = yardstick(result);
  const times = control === null ? [] : [`x ${control.name}`];
  const heads = [
    "",
    `cpu ${METRICS.cpu.unit}`,
    "+-",
    ...times,
    METRICS.throughput.unit,
    "+-",
    ...times,
    "p50 ms",
    "p99 ms",
    "+-",
    "429",
    "errors",
  ];
  const rows = result.cells.map((cell): Row => {
    const middle = (name: MetricName): string => textOf(spreadIn(cell, name)?.median);
    const around = (name: MetricName): string => textOf(spreadIn(cell, name)?.mad);
    const ratio = (name: MetricName): readonly string[] =>
      control === null
        ? []
        : [cell === control ? "" : textOf(timesOf(cell, control, name) ?? undefined)];
    const errors = cell.repeats.reduce((sum, repeat) => sum + repeat.errors, 0);
    return {
      cell,
      texts: [
        cell.role === "control" ? `(${cell.name})` : cell.name,
        middle("cpu"),
        around("cpu"),
        ...ratio("cpu"),
        middle("throughput"),
        around("throughput"),
        ...ratio("throughput"),
        middle("p50"),
        middle("p99"),
        around("p99"),
        percent(spreadIn(cell, "refused")?.median),
        errors === 0 ? "" : figure(errors),
      ],
    };
  });
  return { heads, rows };
}

const textOf = (value: number | undefined): string => (value === undefined ? "" : figure(value));
const percent = (value: number | undefined): string =>
  value === undefined ? "" : `${value.toFixed(value > 0 && value < 10 ? 1 : 0)} %`;

/** Names to the left, figures to the right. */
export function linesOf({
  heads,
  rows,
}: {
  readonly heads: readonly string[];
  readonly rows: readonly Pick<Row, "texts">[];
}): readonly string[] {
  const all = [heads, ...rows.map(({ texts }) => texts)];
  const widths = heads.map((_, column) => Math.max(...all.map((line) => line[column]!.length)));
  return all.map((line) =>
    line
      .map((text, column) =>
        column === 0 ? text.padEnd(widths[0]!) : text.padStart(widths[column]!),
      )
      .join("  ")
      .trimEnd(),
  );
}
