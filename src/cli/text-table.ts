// Formats a table. Each row has an outcome, numbers, and a name of any length at the end.
import { table } from "../kit/reading/table.ts";
import { TONES } from "../show/result-text.ts";
import { oneLine, type Paint } from "../kit/reading/legible.ts";
import type { Result } from "../lab/scenario/verdict.ts";

export interface OutcomeRow {
  readonly outcome: Result["outcome"];
  readonly cells: readonly string[];
  readonly name: string;
}

export interface OutcomeTable {
  readonly head: readonly string[];
  readonly nameHead: string;
  readonly rows: readonly OutcomeRow[];
}

/** Names are the last column. If a line is wider than `width`, they come first, and the table continues below. */
export function outcomeTable(
  { head, nameHead, rows }: OutcomeTable,
  paint: Paint,
  width = Number.POSITIVE_INFINITY,
): readonly string[] {
  const widths = head.map((text, at) =>
    Math.max(text.length, ...rows.map(({ cells }) => cells[at]!.length)),
  );
  const outcomeWidth = Math.max(...rows.map(({ outcome }) => outcome.length));
  const line = (cells: readonly string[], name: string): string =>
    [...cells.map((cell, at) => cell.padStart(widths[at]!)), oneLine(name)].join("  ");
  const widest = Math.max(...rows.map(({ cells, name }) => line(cells, name).length));
  if (outcomeWidth + 2 + widest > width)
    return table(
      [
        { title: "", isNumber: false, cells: rows.map(({ outcome }) => outcome) },
        { title: nameHead, isNumber: false, cells: rows.map(({ name }) => oneLine(name)) },
        ...head.map((title, at) => ({
          title,
          isNumber: true,
          cells: rows.map(({ cells }) => cells[at]!),
        })),
      ],
      paint,
      (row, column) => (column === 0 ? TONES[rows[row]!.outcome] : null),
      { width, named: 2 },
    );
  return [
    paint("faint", `${" ".repeat(outcomeWidth)}  ${line(head, nameHead)}`),
    ...rows.map(
      ({ outcome, cells, name }) =>
        `${paint(TONES[outcome], outcome.padEnd(outcomeWidth))}  ${line(cells, name)}`,
    ),
  ];
}
