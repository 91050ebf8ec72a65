// Tables on a terminal: aligned columns, and parts below each other where a table is wider than the terminal.
import { oneLine, type Paint, type Tone } from "./legible.ts";

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

/** Texts come from files, so that no cell may begin a line or control the terminal. */
export function table(
  given: readonly TableColumn[],
  paint: Paint,
  toneOf: (row: number, column: number) => Tone | null = () => null,
  fit = ANY_WIDTH,
): readonly string[] {
  const columns = given.map(({ title, cells, isNumber }) => ({
    title: oneLine(title),
    cells: cells.map(oneLine),
    isNumber,
  }));
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

/** Items with commas between them, as many in a line as fit. */
export function listInLines(items: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const [at, item] of items.entries()) {
    const text = at === items.length - 1 ? item : `${item},`;
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + text.length > width) lines.push(text);
    else lines[lines.length - 1] = `${last} ${text}`;
  }
  return lines;
}

/** Lines of at most this width, broken between words; a longer word has a line of its own. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

export const wrapAll = (texts: readonly string[], width: number): readonly string[] =>
  texts.flatMap((text) => wrap(text, width));
