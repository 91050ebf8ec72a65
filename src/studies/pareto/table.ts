// The result for people: a table for each fleet, as text or as Markdown.
import { many, thousands, type Paint, type Tone } from "../../kit/reading/legible.ts";
import { table } from "../../kit/reading/table.ts";
import { isComplete, frontsOf, type FleetFront, type FrontEntry } from "./front.ts";
import { METRIC_NAMES, METRICS } from "./metrics.ts";
import type { Estimate, ParetoResult } from "./result.ts";

const HEADINGS = [
  "",
  "algorithm",
  "errors %",
  "over %",
  "wrong %",
  "burst",
  "operations",
  "bytes",
  "ms",
] as const;
const LEFT = 2; // number of left-aligned columns

const FRONT = "*";
const STAR = "★"; // for Markdown, where an asterisk marks emphasis

function rowOf({ algorithm, errors, metrics, isOnFront }: FrontEntry): readonly string[] {
  const { over, wrong, burst, operations, bytes, latency } = metrics;
  return [
    isOnFront === true ? FRONT : "",
    algorithm,
    digits(errors.median),
    withInterval(over),
    withInterval(wrong),
    withInterval(burst),
    digits(operations.median),
    digits(bytes.median),
    digits(latency.median),
  ];
}

const withInterval = ({ median, low, high }: Estimate): string =>
  low === high ? digits(median) : `${digits(median)} (${digits(low)} to ${digits(high)})`;

/** Three significant digits, without an exponent; from 100 on an integer with separated thousands. */
export function digits(value: number): string {
  if (value === 0) return "0";
  if (value >= 100) return thousands(Math.round(value));
  return value < 0.01 ? "<0.01" : String(Number(value.toPrecision(3)));
}

export const titleOf = ({ gateways }: FleetFront): string => many(gateways, "gateway");

export const tableOf = ({
  entries,
}: FleetFront): {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
} => ({ heads: HEADINGS.map((head) => head || "front"), rows: entries.map(rowOf) });

/** The tables as text, which continue below where they are wider than the terminal. */
export function tableText(result: ParetoResult, paint: Paint, width: number): readonly string[] {
  return frontsOf(result).flatMap((fleet) => {
    const rows = fleet.entries.map(rowOf);
    const columns = HEADINGS.map((title, at) => ({
      title,
      cells: rows.map((row) => row[at]!),
      isNumber: at >= LEFT,
    }));
    const toneOf = (row: number): Tone | null => (rows[row]![0] === FRONT ? "strong" : null);
    return [titleOf(fleet), ...table(columns, paint, toneOf, { width, named: LEFT }), ""];
  });
}

/** Explains the mark of the front, or why no line is marked. */
export const legendOf = (result: ParetoResult, mark = FRONT): string =>
  isComplete(result)
    ? `${mark} on the front: none has fewer errors (over and wrong together), operations, bytes or ms without more of another`
    : "cells are missing: the lines have different traffic, so no front is marked";

/** What each column measures. */
export const metricLines = (): readonly string[] => [
  "errors: over and wrong together, of all requests; the median of their sums",
  ...METRIC_NAMES.map((name) => `${name}: ${METRICS[name].about}`),
];

export function markdownOf(result: ParetoResult): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const fleets = frontsOf(result).flatMap((fleet) => [
    `### ${titleOf(fleet)}`,
    "",
    line(HEADINGS),
    line(HEADINGS.map((_, column) => (column < LEFT ? "---" : "---:"))),
    ...fleet.entries
      .map(rowOf)
      .map(([mark = "", ...cells]) => line([mark === FRONT ? STAR : "", ...cells])),
    "",
  ]);
  return [...fleets, `${legendOf(result, STAR)}.`, "", originText(result)];
}

export function originText({ suite, seed, commit, footer, shard }: ParetoResult): string {
  const part = shard.of === 1 ? "" : `, part ${shard.index} of ${shard.of}`;
  const cells = footer.complete
    ? many(footer.cells, "cell")
    : `${footer.cells} of ${footer.of} cells`;
  return `${cells}${part}, ${many(suite.runs, "run")} each of ${many(suite.windows, "window")}, seed ${seed}, suite ${suite.hash}, commit ${commit?.slice(0, 10) ?? "unknown"}`;
}
