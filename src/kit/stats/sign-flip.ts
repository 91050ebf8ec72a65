// The statistical test of `weir bench --against`. A pair is two new processes, one of each version, measured one after
// the other. If the versions do not differ, chance alone decides the sign of a pair's difference. The test therefore
// flips signs, and compares the measured difference with the differences that chance alone gives.
import { mean, median } from "simple-statistics";
import type { Rng } from "../chance/rng.ts";

/** The logarithm of head over base, for each pair and round. */
export type PairRounds = readonly (readonly number[])[];

/** Differences are cut to 2.5 times the median absolute difference: a repeat on a busy machine must not decide. */
const CUT_OFF = 2.5;

/** How far each pair is from an assumed change. Flipping signs changes no cut, because cuts use absolute values. */
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

const STEPS = 15; // each step leaves a small part of the error; after five steps the fourth digit is stable

/** The change, as a logarithm, for which the mean difference of the pairs is zero. */
export function estimateChange(pairs: PairRounds): number {
  let change = median(pairs.map((pair) => mean(pair)));
  for (let step = 0; step < STEPS; step++) change += mean([...differencesFrom(pairs, change)]);
  return change;
}

/** How many ways to flip the signs of pairs are tried. */
export interface FlipEffort {
  /** All ways are tried if there are at most this many. */
  readonly exact: number;
  /** If there are more, this many random ways are tried. */
  readonly sampled: number;
}

/** Enough for all ways to flip 21 pairs. */
export const EFFORT: FlipEffort = { exact: 2 ** 20, sampled: 50_000 };

/** The share of all ways to flip signs in which the sum is at least as far from zero as the measured sum. */
export function signFlipP(differences: readonly number[], random: Rng, effort = EFFORT): number {
  const least = Math.abs(total(differences)) * (1 - SLACK);
  let asFar = 0;
  const sums = flipSums(differences, random, effort);
  for (let way = 0; way < sums.length; way++) if (sums[way]! >= least) asFar++;
  return asFar / sums.length;
}

/** The distance from zero that the mean does not exceed in `share` of all ways to flip. */
export function flipQuantile(
  differences: readonly number[],
  share: number,
  random: Rng,
  effort = EFFORT,
): number {
  const sums = flipSums(differences, random, effort).toSorted();
  return sums[Math.ceil(share * sums.length) - 1]! / differences.length;
}

/** Two sums count as equal if they differ by at most this fraction: additions have rounding errors. */
const SLACK = 1e-9;

/** The absolute sum for each way to flip. The measured sum is the first, because chance could have given it too. */
function flipSums(differences: readonly number[], random: Rng, effort: FlipEffort): Float64Array {
  const ways = 2 ** (differences.length - 1);
  return ways <= effort.exact
    ? everySum(differences, ways)
    : randomSums(differences, random, effort.sampled);
}

/** Never flips the first sign: flipping all signs changes no absolute sum. Each step flips one sign (Gray code). */
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
