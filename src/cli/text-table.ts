// Formats a table. Each row has an outcome, numbers, and a name of any length at the end.
import { TONES } from "../show/result-text.ts";
import { oneLine, type Paint } from "../kit/reading/legible.ts";
import type { Result } from "../lab/scenario/verdict.ts";

export interface OutcomeRow {
  readonly outcome: Result["outcome"];
  readonly cells: readonly string[];
  readonly name: string;
}

export function outcomeTable(
  head: readonly string[],
  nameHead: string,
  rows: readonly OutcomeRow[],
  paint: Paint,
): readonly string[] {
  const widths = head.map((text, at) =>
    Math.max(text.length, ...rows.map(({ cells }) => cells[at]!.length)),
  );
  const outcomeWidth = Math.max(...rows.map(({ outcome }) => outcome.length));
  const line = (cells: readonly string[], name: string): string =>
    [...cells.map((cell, at) => cell.padStart(widths[at]!)), oneLine(name)].join("  ");
  return [
    paint("faint", `${" ".repeat(outcomeWidth)}  ${line(head, nameHead)}`),
    ...rows.map(
      ({ outcome, cells, name }) =>
        `${paint(TONES[outcome], outcome.padEnd(outcomeWidth))}  ${line(cells, name)}`,
    ),
  ];
}
