// The test of `weir bench --against`. Its unit is the pair: two new processes, one of each version, measured one after
// the other. If the versions do not differ, chance decides which of the two is called head. So flipping the signs of
// pairs shows the results of chance alone, whatever the spread of repeats, rounds and processes.
import { mean, median } from "simple-statistics";
import type { Rng } from "../chance/rng.ts";

/** The logarithm of head over base, for each pair and round. */
export type PairRounds = readonly (readonly number[])[];

/** A difference counts at most as 2.5 times the median size, so that a repeat on a busy machine decides nothing. */
const CUT_OFF = 2.5;

/** Differences of pairs from an assumed change. Large ones are cut by size, which flipping signs does not change. */
export function differencesFrom(pairs: PairRounds, change: number): readonly number[] {
  const rounds = pairs.map((pair) => pair.map((value) => value - change));
  const ofPairs = cut(rounds.flat()).means(rounds);
  return cut(ofPairs).means(ofPairs.map((value) => [value]));
}

function cut(values: readonly number[]) {
  const most = CUT_OFF * median(values.map(Math.abs));
  const meanOf = (group: readonly number[]): number => {
    let sum = 0;
    for (const value of group) sum += Math.max(-most, Math.min(most, value));
    return sum / group.length;
  };
  return { means: (groups: PairRounds): readonly number[] => groups.map(meanOf) };
}

const STEPS = 15; // each step leaves a small part of the error; after five the fourth digit is stable

/** The logarithm of a change for which the mean difference is zero. */
export function estimateChange(pairs: PairRounds): number {
  let change = median(pairs.map((pair) => mean(pair)));
  for (let step = 0; step < STEPS; step++) change += mean([...differencesFrom(pairs, change)]);
  return change;
}

/** How many ways to flip the signs of pairs are tried. */
export interface FlipEffort {
  /** All ways are tried if there are at most this many. */
  readonly exact: number;
  /** The number of random ways otherwise. */
  readonly sampled: number;
}

/** Enough for all ways to flip 21 pairs. */
export const EFFORT: FlipEffort = { exact: 2 ** 20, sampled: 50_000 };

/** How often chance alone moves the sum as far from zero, in either direction. */
export function signFlipP(differences: readonly number[], random: Rng, effort = EFFORT): number {
  const least = Math.abs(total(differences)) * (1 - SLACK);
  let asFar = 0;
  const sums = flipSums(differences, random, effort);
  for (let way = 0; way < sums.length; way++) if (sums[way]! >= least) asFar++;
  return asFar / sums.length;
}

/** Returns how far from zero the mean is at most in `share` of all ways to flip. */
export function flipQuantile(
  differences: readonly number[],
  share: number,
  random: Rng,
  effort = EFFORT,
): number {
  const sums = flipSums(differences, random, effort).toSorted();
  return sums[Math.ceil(share * sums.length) - 1]! / differences.length;
}

/** Sums that differ only by rounding errors of addition are equal. */
const SLACK = 1e-9;

/** The absolute sum for each way to flip. The measured sum is the first, because chance could have given it too. */
function flipSums(differences: readonly number[], random: Rng, effort: FlipEffort): Float64Array {
  const ways = 2 ** (differences.length - 1);
  return ways <= effort.exact
    ? everySum(differences, ways)
    : randomSums(differences, random, effort.sampled);
}

/** The first sign stays, because only sizes count. Each further way flips one more sign (Gray code). */
function everySum(differences: readonly number[], ways: number): Float64Array {
  const signed = Float64Array.from(differences);
  const sums = new Float64Array(ways);
  let sum = total(differences);
  sums[0] = Math.abs(sum);
  for (let way = 1; way < ways; way++) {
    const at = 32 - Math.clz32(way & -way); // index of the sign to flip, from 1
    const turned = -signed[at]!;
    signed[at] = turned;
    sum += 2 * turned;
    sums[way] = Math.abs(sum);
  }
  return sums;
}

function randomSums(differences: readonly number[], { int }: Rng, count: number): Float64Array {
  const values = Float64Array.from(differences);
  const sums = new Float64Array(count);
  sums[0] = Math.abs(total(differences));
  for (let draw = 1; draw < count; draw++) {
    let sum = 0;
    let bits = 0;
    for (let at = 0; at < values.length; at++) {
      if (at % BITS === 0) bits = int(2 ** BITS);
      sum += bits & 1 ? values[at]! : -values[at]!;
      bits >>>= 1;
    }
    sums[draw] = Math.abs(sum);
  }
  return sums;
}

const BITS = 30;

const total = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);
