// Times on a coarse grid, and a microsecond before or after it: limiters fail at the edges of windows, and arbitrary
// times almost never hit an edge.
import * as fc from "fast-check";

/** The grid, of which windows, delays and most gaps are multiples. */
export const GRID_US = 250_000;

/** Windows that are no multiples of the grid. */
export const ODD_US = [1_000, 7_000, 333_000, 1_234_567] as const;

/** Gaps as long as a window: windows that are no multiples of the grid, and long ones. */
const EDGES_US = [...ODD_US, 60_000_000, 3_600_000_000];

const offset = fc.constantFrom(0, 0, 0, 0, -1, 1);

/** An integer number of grid steps. */
export const onGrid = (least: number, most: number): fc.Arbitrary<number> =>
  fc.integer({ min: least, max: most }).map((steps) => steps * GRID_US);

/** Gaps between requests: mostly none or a few steps, give or take a microsecond. */
export const gap = (most: number): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    {
      weight: 5,
      arbitrary: fc
        .tuple(onGrid(0, most), offset)
        .map(([us, offsetUs]) => Math.max(0, us + offsetUs)),
    },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: most * GRID_US }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...EDGES_US), fc.constantFrom(-1, 0, 1))
        .map(([us, offsetUs]) => us + offsetUs),
    },
  );
