// The cells of a suite: its base with one factor changed at a time, or every combination.
import { isLogBased } from "../core/algorithms.ts";
import { micros, microsToSeconds, secondsToMicros, type Micros } from "../core/units.ts";
import { FACTORS, type Factors, type Suite } from "./suite.ts";

export interface Cell {
  readonly name: string; // "base", "algorithm=gcra", and of combinations "algorithm=gcra store=redis"
  readonly factors: Factors;
}

export const BASE = "base";
export const MOST_CELLS = 24;
export const MOST_CONTROLS = 4;

export function cellsOf({ base, vary }: Suite): readonly Cell[] {
  const changed = FACTORS.flatMap((factor) =>
    vary[factor].map((value): Factors => ({ ...base, [factor]: value })),
  );
  return [base, ...changed].map((factors) => ({ name: nameOf(factors, base), factors }));
}

export function crossOf({ base, vary }: Suite): readonly Cell[] {
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

const QUICK = { lasts: 0.5, repeats: 3, controls: 2 };

/** The same suite as a look: of each factor its first change, and short repeats. */
export function quick(suite: Suite): Suite {
  const { vary, controls, lastsUs, warmUpUs, gates } = suite;
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
    lastsUs: least(lastsUs, QUICK.lasts),
    warmUpUs: least(warmUpUs, QUICK.lasts),
    repeats: Math.min(suite.repeats, QUICK.repeats),
  };
  const names = new Set(cellsOf(short).map(({ name }) => name));
  return { ...short, gates: gates.filter(({ cell }) => names.has(cell)) };
}

const least = (us: Micros, seconds: number): Micros =>
  micros(Math.min(us, secondsToMicros(seconds)));

/** What a repeat needs beside its load, and a process until it answers. */
export const BESIDE_SECONDS = 0.15;
export const START_SECONDS = 0.6;

/** So many gateways are up together. More cells than that are played one part after the other. */
export const TOGETHER = MOST_CELLS;

/** Cells, and the controls that stand beside each part of them. */
export const playedOf = (cells: number, controls: number): number =>
  cells + controls * Math.max(1, Math.ceil(cells / TOGETHER));

/** No turn is longer than a repeat. */
export function warmUpOf({ warmUpUs, lastsUs }: Pick<Suite, "warmUpUs" | "lastsUs">): {
  readonly turns: number;
  readonly eachUs: Micros;
} {
  const turns = Math.ceil(warmUpUs / lastsUs);
  return { turns, eachUs: micros(Math.ceil(warmUpUs / turns)) };
}

/** As a rule it takes no longer on two cores with nothing else to do. */
export function secondsOf(suite: Suite, cells: number, controls: number): number {
  const { lastsUs, repeats } = suite;
  const lastsSeconds = microsToSeconds(lastsUs);
  const { turns, eachUs } = warmUpOf(suite);
  const warming = turns * (microsToSeconds(eachUs) + BESIDE_SECONDS);
  const each = START_SECONDS + warming + repeats * (lastsSeconds + BESIDE_SECONDS);
  return capacitySecondsOf(suite) + playedOf(cells, controls) * each;
}

export const capacitySecondsOf = ({ lastsUs, warmUpUs }: Suite): number =>
  START_SECONDS + microsToSeconds(warmUpUs) + CAPACITY_REPEATS * microsToSeconds(lastsUs);

/** Of the cell that says how much load there is, after a warm-up. */
export const CAPACITY_REPEATS = 2;

/**
 * The share of answers with 429 that the load and the limit of a cell come to. A log counts what it refuses: whoever
 * asks for more than the limit all the time is refused all the time (ALG-4).
 */
export function refusedShare({ algorithm, demand, keys }: Factors, keyCount: number): number {
  const admitted = (load: number, limit: number): number =>
    load <= limit ? load : isLogBased(algorithm) ? 0 : limit;
  if (keys !== "zipf") return 1 - admitted(1, 1 / demand);
  let sum = 0;
  for (let rank = 1; rank <= keyCount; rank++) sum += 1 / rank;
  const limit = 1 / (demand * keyCount); // of each key, as a share of the load
  let all = 0;
  for (let rank = 1; rank <= keyCount; rank++) all += admitted(1 / (rank * sum), limit);
  return 1 - all;
}
