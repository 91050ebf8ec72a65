// Tables of results on a terminal, and how their cells are written.
import type { Paint, Tone } from "../../kit/reading/legible.ts";

/** A column of a table: numbers are aligned right, words left. */
export interface TableColumn {
  readonly title: string;
  readonly cells: readonly string[];
  readonly isNumber: boolean;
}

/** A table wider than `width` continues below, where the first `named` columns, which name the rows, are repeated. */
interface TableFit {
  readonly width: number;
  readonly named: number;
}

const ANY_WIDTH: TableFit = { width: Number.POSITIVE_INFINITY, named: 0 };
const GAP = "  ";

export function table(
  columns: readonly TableColumn[],
  paint: Paint,
  toneOf: (row: number, column: number) => Tone | null = () => null,
  fit = ANY_WIDTH,
): readonly string[] {
  const widths = columns.map(({ title, cells }) =>
    Math.max(title.length, ...cells.map((cell) => cell.length)),
  );
  const align = (text: string, column: number): string =>
    columns[column]!.isNumber ? text.padStart(widths[column]!) : text.padEnd(widths[column]!);
  return partsOf(widths, fit).flatMap((shown, part) => {
    const rows = columns[0]!.cells.map((_, row) =>
      shown
        .map((column) => {
          const tone = toneOf(row, column);
          const text = align(columns[column]!.cells[row]!, column);
          return tone === null ? text : paint(tone, text);
        })
        .join(GAP)
        .trimEnd(),
    );
    const head = shown.map((column) => align(columns[column]!.title, column)).join(GAP);
    return [...(part === 0 ? [] : [""]), paint("strong", head.trimEnd()), ...rows];
  });
}

/** The columns of each part: as many as fit, but at least one. */
function partsOf(widths: readonly number[], { width, named }: TableFit): readonly number[][] {
  const names = widths.slice(0, named).map((_, column) => column);
  const widthOf = (columns: readonly number[]): number =>
    columns.reduce((sum, column) => sum + widths[column]! + GAP.length, -GAP.length);
  const parts: number[][] = [[...names]];
  for (let column = named; column < widths.length; column++) {
    const part = parts.at(-1)!;
    if (part.length === named || widthOf([...part, column]) <= width) part.push(column);
    else parts.push([...names, column]);
  }
  return parts;
}

export const LONGEST_CLIENT = 60;
export const cut = (text: string, longest = LONGEST_CLIENT): string =>
  text.length > longest ? `${text.slice(0, longest - 3)}...` : text;

export const thousands = (value: number): string => value.toLocaleString("en-US");

/** Rounds a share, but writes `0 %` and `100 %` only for exactly these. */
export const percent = (part: number | null): string => {
  if (part === null) return "";
  if (part === 0) return "0 %";
  if (part === 1) return "100 %";
  const text = (100 * part).toFixed(1);
  return { "0.0": "<0.1 %", "100.0": ">99.9 %" }[text] ?? `${text} %`;
};

export const seconds = (us: number): string => `${(us / 1_000_000).toFixed(3)} s`;

export const timeText = (iso: string): string => iso.slice(0, 19).replace("T", " ");
