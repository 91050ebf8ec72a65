// The result for people: a table for each fleet, as text or as Markdown.
import { isWhole, standingsOf, type FleetStanding, type Standing } from "./front.ts";
import type { Estimate, ParetoResult } from "./result.ts";

const HEADS = ["", "algorithm", "over %", "wrong %", "burst", "operations", "bytes", "ms"] as const;
const LEFT = 2; // columns that begin at the left

const FRONT = "*";
const STAR = "★"; // Markdown has a use for the other

function rowOf({ algorithm, metrics, isOnFront }: Standing): readonly string[] {
  const { over, wrong, burst, operations, bytes, latency } = metrics;
  return [
    isOnFront === true ? FRONT : "",
    algorithm,
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

/** Three digits that count, and none of a power of ten. */
export function digits(value: number): string {
  if (value === 0) return "0";
  if (value >= 100) return String(Math.round(value));
  return value < 0.01 ? "<0.01" : String(Number(value.toPrecision(3)));
}

export const titleOf = ({ gateways }: FleetStanding): string =>
  gateways === 1 ? "1 gateway" : `${gateways} gateways`;

export const tableOf = ({
  standings,
}: FleetStanding): {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
} => ({ heads: HEADS.map((head) => head || "front"), rows: standings.map(rowOf) });

/** `strong` is how the front stands out where there are colours. */
export function tableText(
  result: ParetoResult,
  strong: (text: string) => string,
): readonly string[] {
  const fleets = standingsOf(result).map((fleet) => ({
    title: titleOf(fleet),
    rows: fleet.standings.map(rowOf),
  }));
  const all = [HEADS, ...fleets.flatMap(({ rows }) => rows)];
  const widths = HEADS.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column < LEFT ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join("  ")
      .trimEnd();
  return fleets.flatMap(({ title, rows }) => [
    title,
    line(HEADS),
    ...rows.map((row) => (row[0] === FRONT ? strong(line(row)) : line(row))),
    "",
  ]);
}

/** What the mark means, or why nobody has one. */
export const legendOf = (result: ParetoResult, mark = FRONT): string =>
  isWhole(result)
    ? `${mark} on the front: none has fewer errors (over and wrong), operations, bytes or ms without more of another`
    : "cells are missing: lines are of different traffic, and no front is marked";

export function markdownOf(result: ParetoResult): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const fleets = standingsOf(result).flatMap((fleet) => [
    `### ${titleOf(fleet)}`,
    "",
    line(HEADS),
    line(HEADS.map((_, column) => (column < LEFT ? "---" : "---:"))),
    ...fleet.standings
      .map(rowOf)
      .map(([mark = "", ...cells]) => line([mark === FRONT ? STAR : "", ...cells])),
    "",
  ]);
  return [...fleets, `${legendOf(result, STAR)}.`, "", originText(result)];
}

export function originText({ suite, seed, commit, footer, shard }: ParetoResult): string {
  const part = shard.of === 1 ? "" : `, part ${shard.index} of ${shard.of}`;
  const cells = footer.complete ? `${footer.cells} cells` : `${footer.cells} of ${footer.of} cells`;
  return `${cells}${part}, ${suite.runs} runs each of ${suite.windows} windows, seed ${seed}, suite ${suite.hash}, commit ${commit ?? "unknown"}`;
}
