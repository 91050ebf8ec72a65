// Writes equal neighbours in a sequence as one run, such as "5*200 3*429", so that long sequences stay readable.
import type { Runs } from "../scenario/types.ts";

export const encodeRuns = (words: readonly string[]): Runs => {
  const runs: { times: number; what: string }[] = [];
  for (const what of words) {
    const last = runs.at(-1);
    if (last !== undefined && last.what === what) last.times++;
    else runs.push({ times: 1, what });
  }
  return runs;
};

export const expandRuns = (runs: Runs): string[] =>
  runs.flatMap(({ times, what }) => Array.from({ length: times }, () => what));

const MOST_RUNS = 24;

export const formatRuns = (runs: Runs): string => {
  if (runs.length === 0) return "nothing";
  const shown = runs
    .slice(0, MOST_RUNS)
    .map(({ times, what }) => (times === 1 ? what : `${times}*${what}`));
  return runs.length > MOST_RUNS
    ? `${shown.join(" ")} and ${runs.length - MOST_RUNS} runs more`
    : shown.join(" ");
};

/** Index of the first word that differs or is missing; -1 if the two are equal. */
export function firstDifference(observed: readonly string[], expected: readonly string[]): number {
  const longest = Math.max(observed.length, expected.length);
  for (let index = 0; index < longest; index++)
    if (observed[index] !== expected[index]) return index;
  return -1;
}
