// Tables of results on a terminal, and how their cells are written.
import type { Paint, Tone } from "../report/result-text.ts";

/** Numbers are at the right of their columns, and words at the left. */
export interface TableColumn {
  readonly title: string;
  readonly cells: readonly string[];
  readonly isNumber: boolean;
}

export function table(
  columns: readonly TableColumn[],
  paint: Paint,
  toneOf: (row: number, column: number) => Tone | null = () => null,
): readonly string[] {
  const widths = columns.map(({ title, cells }) =>
    Math.max(title.length, ...cells.map((cell) => cell.length)),
  );
  const align = (text: string, column: number): string =>
    columns[column]!.isNumber ? text.padStart(widths[column]!) : text.padEnd(widths[column]!);
  const rows = columns[0]!.cells.map((_, row) =>
    columns
      .map(({ cells }, column) => {
        const tone = toneOf(row, column);
        const text = align(cells[row]!, column);
        return tone === null ? text : paint(tone, text);
      })
      .join("  ")
      .trimEnd(),
  );
  const head = columns.map(({ title }, column) => align(title, column)).join("  ");
  return [paint("strong", head.trimEnd()), ...rows];
}

const LONGEST_CLIENT = 60;
export const cut = (text: string): string =>
  text.length > LONGEST_CLIENT ? `${text.slice(0, LONGEST_CLIENT - 3)}...` : text;

export const thousands = (value: number): string => value.toLocaleString("en-US");

/** Only what is nothing or all of it is `0 %` or `100 %`. */
export const percent = (part: number | null): string => {
  if (part === null) return "";
  if (part === 0) return "0 %";
  if (part === 1) return "100 %";
  const text = (100 * part).toFixed(1);
  return { "0.0": "<0.1 %", "100.0": ">99.9 %" }[text] ?? `${text} %`;
};

export const seconds = (us: number): string => `${(us / 1_000_000).toFixed(3)} s`;

export const timeText = (iso: string): string => iso.slice(0, 19).replace("T", " ");
