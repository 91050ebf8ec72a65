// The design of a run of two versions: pairs, rounds and warm-up.
import { micros, microsToSeconds, type Micros } from "../../../kit/units.ts";
import { REPEAT_OVERHEAD_SECONDS, capacitySecondsOf, START_SECONDS } from "../cells.ts";
import type { Suite } from "../suite.ts";

/** Pairs that find a 10 % change with 4 gates in 95 % of runs (test/studies/bench/against/power-in-full.test.ts). */
export const DEFAULT_PAIRS = 20;

/** Rounds of each pair. Further rounds would help less than further pairs. */
export const MEASURED_ROUNDS = 2;

/** The duration of the warm-up, at most two repeats. No verdict uses it: a new process spends more per request. */
export const warmUpOf = ({ warmUpUs, lastsUs }: Pick<Suite, "warmUpUs" | "lastsUs">): Micros =>
  micros(Math.min(warmUpUs, 2 * lastsUs));

interface DesignSize {
  readonly cells: number;
  readonly controls: number;
  readonly pairs: number;
}

/** The duration of a run: an upper estimate for two idle cores. */
export function secondsOfPairs(suite: Suite, { cells, controls, pairs }: DesignSize): number {
  const warming = microsToSeconds(warmUpOf(suite)) + REPEAT_OVERHEAD_SECONDS;
  const rounds = MEASURED_ROUNDS * (microsToSeconds(suite.lastsUs) + REPEAT_OVERHEAD_SECONDS);
  const each = START_SECONDS + (2 + controls) * (warming + rounds);
  return capacitySecondsOf(suite) + pairs * cells * each;
}
