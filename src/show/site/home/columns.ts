// The requests of a run as columns of a graph: how many were admitted and refused in each piece of its time.
import { SECOND } from "../../../kit/units.ts";
import { MARK_ANSWERS, type RequestMarks } from "../request-marks.ts";

/** The shown part of a run, in seconds. */
export interface ShownTime {
  readonly from: number;
  readonly to: number;
  readonly columns: number;
}

export interface Columns {
  readonly admitted: readonly number[];
  readonly refused: readonly number[];
}

/** The size of a graph in its own units. Scripts and styles stretch it. */
export const GRAPH = { width: 600, height: 120 } as const;

const ADMITTED: readonly string[] = ["admitted", "delayed"];

export function columnsOf(
  { atUs, answer }: Pick<RequestMarks, "answer" | "atUs">,
  { from, to, columns }: ShownTime,
): Columns {
  const admitted = Array.from({ length: columns }, () => 0);
  const refused = [...admitted];
  for (const [row, at] of atUs.entries()) {
    const column = Math.floor(((at / SECOND - from) / (to - from)) * columns + 1e-6);
    if (column < 0 || column >= columns) continue;
    const isAdmitted = ADMITTED.includes(MARK_ANSWERS[answer[row]!]!);
    (isAdmitted ? admitted : refused)[column]! += 1;
  }
  return { admitted, refused };
}

export const sumOf = (counts: readonly number[]): number =>
  counts.reduce((sum, count) => sum + count, 0);

/** Both parts of all columns, before any decision. */
export const countOffered = ({ admitted, refused }: Columns): readonly number[] =>
  admitted.map((count, column) => count + refused[column]!);

export const highestIn = (lanes: readonly Columns[]): number =>
  Math.max(1, ...lanes.flatMap(countOffered));

/** The first columns alone, for a run that is being shown. */
export const firstColumns = ({ admitted, refused }: Columns, count: number): Columns => ({
  admitted: admitted.slice(0, count),
  refused: refused.slice(0, count),
});

/** The path of columns: each begins above `below` and is a vertical line whose dashes are the requests. */
export function pathOf(
  counts: readonly number[],
  below: readonly number[] | null,
  most: number,
): string {
  const width = GRAPH.width / counts.length;
  const unit = GRAPH.height / most;
  return counts
    .flatMap((count, column) => {
      const x = formatLength((column + 0.5) * width);
      const y = formatLength(GRAPH.height - (below?.[column] ?? 0) * unit);
      return count === 0 ? [] : [`M${x} ${y}v-${formatLength(count * unit)}`];
    })
    .join("");
}

/** The smallest height of a request that is drawn apart from its neighbours. */
const LEAST_APART = 3;

/** The dashes of a path, and the gaps between them. */
export function dashesOf(most: number): string {
  const unit = GRAPH.height / most;
  return unit < LEAST_APART ? "none" : `${formatLength(unit * 0.8)} ${formatLength(unit * 0.2)}`;
}

export const widthOfColumn = (columns: number): string =>
  formatLength((GRAPH.width / columns) * 0.8);

const formatLength = (value: number): string => String(Number(value.toFixed(2)));
