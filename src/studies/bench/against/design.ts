// The design of a run of two versions: pairs, rounds and warm-up.
import { micros, microsToSeconds, type Micros } from "../../../kit/units.ts";
import { REPEAT_OVERHEAD_SECONDS, capacitySecondsOf, START_SECONDS } from "../cells.ts";
import type { Suite } from "../suite.ts";

/** On the quiet pool they find 10 % in at least 95 of 100 runs, for up to four gates (test/studies/bench/against/power-in-full.test.ts). */
export const DEFAULT_PAIRS = 20;

/** For each pair; more rounds of a pair help less than more pairs. */
export const MEASURED_ROUNDS = 2;

/** Measured and discarded: a new process spends more on each request. Two repeats long at most. */
export const warmUpOf = ({ warmUpUs, lastsUs }: Pick<Suite, "warmUpUs" | "lastsUs">): Micros =>
  micros(Math.min(warmUpUs, 2 * lastsUs));

interface DesignSize {
  readonly cells: number;
  readonly controls: number;
  readonly pairs: number;
}

/** An upper estimate for two idle cores. */
export function secondsOfPairs(suite: Suite, { cells, controls, pairs }: DesignSize): number {
  const warming = microsToSeconds(warmUpOf(suite)) + REPEAT_OVERHEAD_SECONDS;
  const rounds = MEASURED_ROUNDS * (microsToSeconds(suite.lastsUs) + REPEAT_OVERHEAD_SECONDS);
  const each = START_SECONDS + (2 + controls) * (warming + rounds);
  return capacitySecondsOf(suite) + pairs * cells * each;
}
