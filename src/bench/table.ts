// A result as lines for a terminal.
import { figure } from "../reading/legible.ts";
import { boundLine, boundResults } from "./bounds.ts";
import { casesOf, metricOf, type BenchResult, type BenchCellResult } from "./result.ts";
import { summarise, type Spread, spreadOf } from "../stats/summary.ts";
import { METRICS, type Control, type ControlOfOthers, type OwnControl } from "./suite.ts";
import { targetLine, targetsOf } from "./targets.ts";

/** Over all repeats with that metric; null if there are none. */
export function spreadIn({ repeats }: BenchCellResult, metric: string): Spread | null {
  const values = repeats.flatMap(({ metrics }) => metrics[metric] ?? []);
  return values.length === 0 ? null : spreadOf(values);
}

/** The cell that the others are divided by: Weir without a limit, else the cheapest server; or the control of the case. */
export const yardstick = (
  { cells, metrics }: BenchResult,
  metric: string,
): BenchCellResult | null =>
  [metrics[metric]?.control ?? "unlimited", "upstream", "base"]
    .map((wanted) => cells.find(({ name }) => name === wanted))
    .find((cell) => cell !== undefined) ?? null;

/** The median of the ratios of each round: a slow machine slows both sides of a ratio. */
export function timesOf(
  cell: BenchCellResult,
  control: BenchCellResult,
  metric: string,
): number | null {
  const ratios = cell.repeats.flatMap(({ round, metrics }) => {
    const own = metrics[metric];
    const other = control.repeats.find((repeat) => repeat.round === round)?.metrics[metric];
    return own === undefined || other === undefined || other === 0 ? [] : [own / other];
  });
  return ratios.length === 0 ? null : summarise(ratios).median;
}

interface Row {
  readonly cell: BenchCellResult;
  readonly texts: readonly string[]; // one for each column
}

export interface BenchTable {
  readonly title: string | null; // of a case
  readonly notes: readonly string[]; // printed below it
  readonly heads: readonly string[];
  readonly rows: readonly Row[];
}

/** One table of all cells, or one for each case. */
export function tablesOf(result: BenchResult): readonly BenchTable[] {
  const cases = casesOf(result);
  return cases.length === 0
    ? [tableOfCells(result)]
    : cases.map((metric) => tableOfCase(result, metric));
}

function tableOfCase(result: BenchResult, metric: string): BenchTable {
  const { unit, about } = metricOf(result, metric);
  const control = yardstick(result, metric);
  const rows = result.cells.flatMap((cell): readonly Row[] => {
    const spread = spreadIn(cell, metric);
    if (spread === null) return [];
    const times = control === null || cell === control ? null : timesOf(cell, control, metric);
    const ratio = control === null ? [] : [textOf(times ?? undefined)];
    return [{ cell, texts: [labelOf(cell), figure(spread.median), figure(spread.mad), ...ratio] }];
  });
  return {
    title: `${metric}: ${about}`,
    notes: targetsOf(result, metric).map(targetLine),
    heads: ["", unit, "+-", ...(control === null ? [] : [`x ${control.name}`])],
    rows,
  };
}

const labelOf = ({ name, role }: BenchCellResult): string =>
  role === "control" ? `(${name})` : name;

function tableOfCells(result: BenchResult): BenchTable {
  const control = yardstick(result, "cpu");
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
    const middle = (name: string): string => textOf(spreadIn(cell, name)?.median);
    const around = (name: string): string => textOf(spreadIn(cell, name)?.mad);
    const ratio = (name: string): readonly string[] =>
      control === null
        ? []
        : [cell === control ? "" : textOf(timesOf(cell, control, name) ?? undefined)];
    const errors = cell.repeats.reduce((sum, repeat) => sum + repeat.errors, 0);
    return {
      cell,
      texts: [
        labelOf(cell),
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
  return {
    title: null,
    notes: [...boundResults(result).map(boundLine), ...termsOf(result)],
    heads,
    rows,
  };
}

/** With gateways of others: what each of them counts, where, and up to which limit, or the numbers compare nothing. */
export function termsOf({ cells }: BenchResult): readonly string[] {
  if (!cells.some(({ control }) => isOfOthers(control))) return [];
  const namesBy = Map.groupBy(cells, termsOfCell);
  namesBy.delete(null);
  return [...namesBy].map(
    ([terms, alike]) => `${alike.map((cell) => labelOf(cell)).join(", ")}: ${terms}`,
  );
}

/** Null: it limits nothing. */
function termsOfCell({ name, factors, control }: BenchCellResult): string | null {
  if (factors !== null) {
    const isNamed = name.includes(`algorithm=${factors.algorithm}`);
    return `${isNamed ? "" : `${factors.algorithm}, `}counted in ${PLACES[factors.store]}`;
  }
  if (isOfOthers(control))
    return `counted in ${PLACES[control.store]}, at most ${control.limit} for a key, which is never reached. ${control.algorithm}`;
  const limiter = control === null ? undefined : LIMITERS[control];
  return limiter === undefined
    ? null
    : `${limiter}, counted in its memory, with a limit that is never reached`;
}

const LIMITERS: Readonly<Partial<Record<OwnControl, string>>> = {
  fastify: "a fixed window",
  express: "a fixed window",
  nginx: "a leaky bucket",
};

const PLACES = { memory: "its memory", redis: "Redis" } as const;

const isOfOthers = (control: Control | null): control is ControlOfOthers =>
  control !== null && typeof control !== "string";

const textOf = (value: number | undefined): string => (value === undefined ? "" : figure(value));
const percent = (value: number | undefined): string =>
  value === undefined ? "" : `${value.toFixed(value > 0 && value < 10 ? 1 : 0)} %`;

/** All tables of a result as lines: names at the left, numbers at the right. */
export const tableLines = (result: BenchResult): readonly string[] =>
  tablesOf(result).flatMap(({ title, notes, ...table }) =>
    title === null
      ? [...linesOf(table), ...notes]
      : [title, ...[...linesOf(table), ...notes].map((line) => `  ${line}`), ""],
  );

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
