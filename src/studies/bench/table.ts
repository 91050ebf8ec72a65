// A result as lines for a terminal.
import { figure, type Paint } from "../../kit/reading/legible.ts";
import { table } from "../../kit/reading/table.ts";
import { boundLine, boundResults } from "./bounds.ts";
import { hasEqualRefusals, refusalText, percentRefused } from "./refusals.ts";
import { casesOf, metricOf, type BenchResult, type BenchCellResult } from "./result.ts";
import { spreadIn, timesShown, yardstick } from "./medians.ts";
import { METRICS, type Control, type ControlOfOthers, type OwnControl } from "./suite.ts";
import { targetLine, targetsOf } from "./targets.ts";

interface Row {
  readonly cell: BenchCellResult;
  readonly texts: readonly string[]; // one for each column
}

export interface BenchTable {
  readonly title: string | null; // names the case; null: the table has all cells
  readonly notes: readonly string[]; // printed below the table
  readonly legend: readonly string[]; // what columns and rows mean
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
    const times =
      control === null || cell === control ? null : timesShown(result, cell, control, metric);
    const ratio = control === null ? [] : [textOf(times ?? undefined)];
    return [
      { cell, texts: [labelOf(cell), figure(spread.median), nearText(cell, metric), ...ratio] },
    ];
  });
  return {
    title: `${metric}: ${about}`,
    notes: targetsOf(result, metric).map(targetLine),
    legend: [
      NEAR,
      ...(control === null ? [] : [`x ${control.name}: the ratio of the two medians`]),
      BRACKETS,
    ],
    heads: ["", unit, "+-", ...(control === null ? [] : [`x ${control.name}`])],
    rows,
  };
}

/** Empty for a single repeat: it has no other to be near to. */
const nearText = (cell: BenchCellResult, metric: string): string =>
  cell.repeats.filter(({ metrics }) => metrics[metric] !== undefined).length < 2
    ? ""
    : figure(spreadIn(cell, metric)!.mad);

const NEAR = "+-: half of the repeats are this near to the median";
const BRACKETS = "in brackets: a control, which has no limit or no code of Weir";

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
    "answers/s",
    "+-",
    ...times,
    "p50 ms",
    "p99 ms",
    "+-",
    "refused",
    "errors",
  ];
  const isApart = (cell: BenchCellResult): boolean =>
    control !== null && !hasEqualRefusals(cell, control);
  const rows = result.cells.map((cell): Row => {
    const middle = (name: string): string => textOf(spreadIn(cell, name)?.median);
    const around = (name: string): string => nearText(cell, name);
    const ratio = (name: string): readonly string[] =>
      control === null
        ? []
        : [cell === control ? "" : textOf(timesShown(result, cell, control, name) ?? undefined)];
    const errors = cell.repeats.reduce((sum, repeat) => sum + repeat.errors, 0);
    const refused = percentRefused(cell.repeats);
    return {
      cell,
      texts: [
        `${labelOf(cell)}${isApart(cell) ? " *" : ""}`,
        middle("cpu"),
        around("cpu"),
        ...ratio("cpu"),
        middle("throughput"),
        around("throughput"),
        ...ratio("throughput"),
        middle("p50"),
        middle("p99"),
        around("p99"),
        refused === null ? "" : refusalText(refused),
        errors === 0 ? "" : figure(errors),
      ],
    };
  });
  return {
    title: null,
    notes: [
      ...(control === null ? [] : apartNotes(result.cells.filter(isApart), control)),
      ...boundResults(result).map(boundLine),
    ],
    legend: [
      "cpu us: processor time of the gateway for one request; answers/s: responses per second",
      "p50, p99: half of the responses, and all but one in a hundred, arrived within this time",
      NEAR,
      ...(control === null
        ? []
        : [
            `x ${control.name}: the median of the multiples of the rounds, which the columns need not give`,
          ]),
      "refused: the share of responses with status 429, of all repeats together",
      BRACKETS,
      ...termsOf(result),
    ],
    heads,
    rows,
  };
}

/** The note that explains why the marked cells have no multiple. */
function apartNotes(
  cells: readonly BenchCellResult[],
  control: BenchCellResult,
): readonly string[] {
  const shares = cells.map((cell) => `${cell.name} ${textOfRefused(cell)}`);
  return shares.length === 0
    ? []
    : [
        `* not compared: ${shares.join(", ")} refused, ${control.name} ${textOfRefused(control)}, and a refusal costs less`,
      ];
}

const textOfRefused = ({ repeats }: BenchCellResult): string =>
  refusalText(percentRefused(repeats) ?? 0);

/** Lines with the algorithm, the store and the limit of each gateway; none if there is no `ControlOfOthers`. */
export function termsOf({ cells }: BenchResult): readonly string[] {
  if (!cells.some(({ control }) => isOfOthers(control))) return [];
  const namesBy = Map.groupBy(cells, termsOfCell);
  namesBy.delete(null);
  return [...namesBy].map(
    ([terms, alike]) => `${alike.map((cell) => labelOf(cell)).join(", ")}: ${terms}`,
  );
}

/** The line of one cell, without its name; null: the cell limits nothing. */
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

/** How tables are printed: a table that is wider than `width` continues below. */
export interface TablePrint {
  readonly paint: Paint;
  readonly width: number;
  readonly hasLegend: boolean;
}

/** All tables of a result as lines: names at the left, numbers at the right. */
export const tableLines = (result: BenchResult, print: TablePrint): readonly string[] =>
  tablesOf(result).flatMap(({ title, notes, legend, ...rows }) => {
    const indent = title === null ? "" : "  ";
    const lines = [
      ...linesOf(rows, { ...print, width: print.width - indent.length }),
      ...notes,
      ...(print.hasLegend ? legend : []),
    ];
    return title === null ? lines : [title, ...lines.map((line) => indent + line), ""];
  });

export const linesOf = (
  {
    heads,
    rows,
  }: {
    readonly heads: readonly string[];
    readonly rows: readonly Pick<Row, "texts">[];
  },
  { paint, width }: Pick<TablePrint, "paint" | "width">,
): readonly string[] =>
  table(
    heads.map((title, at) => ({
      title,
      cells: rows.map(({ texts }) => texts[at]!),
      isNumber: at > 0,
    })),
    paint,
    undefined,
    { width, named: 1 },
  );
