// The values of a candidate in all draws of the random times.
import type { DrawFigures, TryRow } from "./result.ts";

/** All draws of a candidate: the row has the figures of the first one. */
export const drawsOf = (row: TryRow): readonly [DrawFigures, ...DrawFigures[]] => [
  row,
  ...row.otherDraws,
];

export const valuesOf = (
  row: TryRow,
  valueOf: (draw: DrawFigures) => number,
): readonly [number, ...number[]] => {
  const [first, ...others] = drawsOf(row);
  return [valueOf(first), ...others.map(valueOf)];
};

/** The middle value, or the smaller of two. */
export const middleOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[(values.length - 1) >> 1]!;
