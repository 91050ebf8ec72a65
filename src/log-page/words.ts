// Text of logs on a page: on one line, without signs that turn a line around, and never longer than a reader can use.
import { oneLine } from "../reading/legible.ts";
import type { MeasuredTable } from "../report/measured.ts";
import { cut, type TableColumn } from "../replay/table.ts";

const LONGEST = 240;

export function lineOf(text: string): string {
  const line = oneLine(text.toWellFormed());
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 3)}...` : line;
}

export const clientOf = (name: string): string => cut(oneLine(name.toWellFormed()));

/** A table of the terminal. */
export function tableOf(
  columns: readonly TableColumn[],
  names: MeasuredTable["names"],
  folded: string | null = null,
): MeasuredTable {
  const rows = columns[0]!.cells.map((_, row) => columns.map(({ cells }) => lineOf(cells[row]!)));
  return { heads: columns.map(({ title }) => title), rows, folded, names };
}
