// The cells of a suite: its base with one factor changed at a time, or every combination.
import { isLogBased } from "../../limiter/core/algorithms.ts";
import { micros, microsToSeconds, secondsToMicros, type Micros } from "../../kit/units.ts";
import { FACTORS, type Control, type Factors, type Suite } from "./suite.ts";

export interface BenchCell {
  readonly name: string; // "base", "algorithm=gcra", or for a combination "algorithm=gcra store=redis"
  readonly factors: Factors;
}

const BASE = "base";
/** This many gateways run at the same time at most. A run with more cells measures them in parts. */
export const MOST_CELLS = 24;
export const MOST_CONTROLS = 4;

export function cellsOf({ base, vary }: Suite): readonly BenchCell[] {
  const changed = FACTORS.flatMap((factor) =>
    vary[factor].map((value): Factors => ({ ...base, [factor]: value })),
  );
  return [base, ...changed].map((factors) => ({ name: nameOf(factors, base), factors }));
}

export function combinationsOf({ base, vary }: Suite): readonly BenchCell[] {
  let all: readonly Factors[] = [base];
  for (const factor of FACTORS)
    all = all.flatMap((each) =>
      [base[factor], ...vary[factor]].map((value) => ({ ...each, [factor]: value })),
    );
  return all.map((factors) => ({ name: nameOf(factors, base), factors }));
}

function nameOf(factors: Factors, base: Factors): string {
  const changed = FACTORS.filter((factor) => factors[factor] !== base[factor]);
  return changed.length === 0
    ? BASE
    : changed.map((factor) => `${factor}=${factors[factor]}`).join(" ");
}

const QUICK = { seconds: 0.5, warmUpSeconds: 1, repeats: 3, controls: 2, starts: 1 };

/** Shortens a suite: the first change of each factor, fewer controls and starts, and fewer, shorter repeats. */
export function shorten(suite: Suite): Suite {
  const { vary, controls, lastsUs, warmUpUs } = suite;
  const first = <T>(values: readonly T[]): readonly T[] => values.slice(0, 1);
  const short: Suite = {
    ...suite,
    vary: {
      algorithm: first(vary.algorithm),
      store: first(vary.store),
      demand: first(vary.demand),
      keys: first(vary.keys),
      connections: first(vary.connections),
      load_model: first(vary.load_model),
    },
    controls: controls.slice(0, QUICK.controls),
    lastsUs: atMostSeconds(lastsUs, QUICK.seconds),
    warmUpUs: atMostSeconds(warmUpUs, QUICK.warmUpSeconds),
    repeats: Math.min(suite.repeats, QUICK.repeats),
    starts: QUICK.starts,
  };
  return withoutOthers(short, cellsOf(short));
}

/** Keeps the gates and bounds of these cells, without the bounds whose control is not measured. */
export function withoutOthers(
  suite: Suite,
  cells: readonly BenchCell[],
  controls: readonly Control[] = suite.controls,
): Suite {
  const names = new Set(cells.map(({ name }) => name));
  return {
    ...suite,
    gates: suite.gates.filter(({ cell }) => names.has(cell)),
    bounds: suite.bounds.filter(
      (bound) =>
        (bound.cell === null || names.has(bound.cell)) &&
        ("most" in bound || controls.includes(bound.control)),
    ),
  };
}

const atMostSeconds = (us: Micros, seconds: number): Micros =>
  micros(Math.min(us, secondsToMicros(seconds)));

/** The time that a repeat takes in addition to its load, and the time until a started process responds. */
export const REPEAT_OVERHEAD_SECONDS = 0.15;
export const START_SECONDS = 0.6;

/** The number of servers of a run. Controls are measured again with each part of the cells. */
export const countSubjects = (cells: number, controls: number): number =>
  cells + controls * Math.max(1, Math.ceil(cells / MOST_CELLS));

/** Divides the warm-up into turns, none of which is longer than a repeat. */
export function warmUpOf({ warmUpUs, lastsUs }: Pick<Suite, "warmUpUs" | "lastsUs">): {
  readonly turns: number;
  readonly eachUs: Micros;
} {
  const turns = Math.ceil(warmUpUs / lastsUs);
  return { turns, eachUs: micros(Math.ceil(warmUpUs / turns)) };
}

/** The duration of a run: an upper estimate for two idle cores. */
export function secondsOf(suite: Suite, cells: number, controls: number): number {
  const { lastsUs, repeats, starts } = suite;
  const lastsSeconds = microsToSeconds(lastsUs);
  const { turns, eachUs } = warmUpOf(suite);
  const warming = turns * (microsToSeconds(eachUs) + REPEAT_OVERHEAD_SECONDS);
  const each = START_SECONDS + warming + repeats * (lastsSeconds + REPEAT_OVERHEAD_SECONDS);
  return capacitySecondsOf(suite) + starts * countSubjects(cells, controls) * each;
}

export const capacitySecondsOf = ({ lastsUs, warmUpUs }: Suite): number =>
  START_SECONDS + microsToSeconds(warmUpUs) + CAPACITY_REPEATS.atLeast * microsToSeconds(lastsUs);

/** Limits for the repeats that measure the capacity. They end when repeats of a cell are no longer faster. */
export const CAPACITY_REPEATS = { atLeast: 2, atMost: 8 };

/**
 * The share of responses with 429 that follows from the load and the limit of a cell. A log counts refused requests:
 * a client that always sends more than its limit is always refused (ALG-4).
 */
export function refusalShare({ algorithm, demand, keys }: Factors, keyCount: number): number {
  const shareAdmitted = (load: number, limit: number): number =>
    load <= limit ? load : isLogBased(algorithm) ? 0 : limit;
  if (keys !== "zipf") return 1 - shareAdmitted(1, 1 / demand);
  let sum = 0;
  for (let rank = 1; rank <= keyCount; rank++) sum += 1 / rank;
  const limit = 1 / (demand * keyCount); // of each key, as a share of the load
  let all = 0;
  for (let rank = 1; rank <= keyCount; rank++) all += shareAdmitted(1 / (rank * sum), limit);
  return 1 - all;
}
