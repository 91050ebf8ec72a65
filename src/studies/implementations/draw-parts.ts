// What the random configurations of several programs have in common.
import type { Rng } from "../../kit/chance/rng.ts";

export const pick = <T>(random: Rng, all: readonly T[]): T => all[random.int(all.length)]!;

export const chance = (random: Rng, share: number): boolean => random.next() < share;

export const indent = (lines: readonly string[], columns: number): string =>
  lines
    .join("\n")
    .split("\n")
    .map((line) => " ".repeat(columns) + line)
    .join("\n");

const REQUESTS = 80;
const LONGEST_US = 3_000_000;

/** Times of bursts and of single requests. */
export function drawTimes(random: Rng): readonly number[] {
  let atUs = 0;
  return Array.from({ length: REQUESTS }, () => {
    if (!chance(random, 0.6))
      atUs += Math.round((2 * LONGEST_US * random.next()) / (0.4 * REQUESTS) / 2);
    return atUs;
  });
}
