// Reduces a pattern without losing admitted requests: to fewer bursts, fewer requests and rounder times.
import { patternOf, type Burst, type ArrivalPattern } from "./pattern.ts";
import type { PatternResult } from "./run-pattern.ts";

/** Returns the result of a pattern if it admits at least as many requests as the first pattern, else null. */
type PatternTest = (pattern: ArrivalPattern) => PatternResult | null;

export function minimise(start: PatternResult, tryPattern: PatternTest): PatternResult {
  let best = start;
  const improve = (pattern: ArrivalPattern): boolean => {
    const result = tryPattern(pattern);
    if (result !== null) best = result;
    return result !== null;
  };
  const dropBursts = (): boolean => {
    let changed = false;
    for (let at = best.pattern.length - 1; at >= 0; at--) {
      const { pattern } = best;
      if (pattern.length > 1 && improve(pattern.toSpliced(at, 1))) changed = true;
    }
    for (let at = best.pattern.length - 2; at >= 0; at--) {
      const { pattern } = best;
      const [burst, next] = [pattern[at]!, pattern[at + 1]];
      if (next === undefined || next.client !== burst.client) continue;
      const count = burst.count + next.count;
      const merges = [next.atUs, burst.atUs].map((atUs) =>
        patternOf(pattern.toSpliced(at, 2, { ...burst, atUs, count })),
      );
      if (merges.some(improve)) changed = true;
    }
    return changed;
  };
  const shrinkBursts = (): boolean => {
    let changed = false;
    for (let at = 0; at < best.pattern.length; at++) {
      for (let cut = best.pattern[at]!.count - 1; cut >= 1;) {
        const { pattern } = best;
        const burst = pattern[at]!;
        if (burst.count > cut && improve(pattern.with(at, { ...burst, count: burst.count - cut })))
          changed = true;
        else cut = Math.floor(cut / 2);
      }
    }
    return changed;
  };
  while (dropBursts() || shrinkBursts());
  const roundTimes = (): boolean => {
    let changed = false;
    for (let at = 0; at < best.pattern.length; at++)
      for (const atUs of rounderTimes(best.pattern[at]!)) {
        const { pattern } = best;
        if (!improve(patternOf(pattern.with(at, { ...pattern[at]!, atUs })))) continue;
        changed = true;
        break;
      }
    return changed;
  };
  while (dropBursts() || shrinkBursts());
  improve(shiftPattern(best.pattern, -best.pattern[0]!.atUs));
  while (best.pattern.length <= FEW && roundTimes());
  return best;
}

/** Only patterns of at most this many bursts get rounder times: rounding destroys the even distances of longer ones. */
const FEW = 8;

const shiftPattern = (pattern: ArrivalPattern, us: number): ArrivalPattern =>
  patternOf(pattern.map((burst) => ({ ...burst, atUs: burst.atUs + us })));

const UNITS_US = [1_000_000, 100_000, 10_000, 1_000, 100, 10];

/** The times of a burst that are rounder than the present one, the roundest first. */
const rounderTimes = ({ atUs }: Burst): readonly number[] =>
  UNITS_US.filter((unit) => !UNITS_US.some((round) => round >= unit && atUs % round === 0)).flatMap(
    (unit) => [Math.floor(atUs / unit) * unit, Math.ceil(atUs / unit) * unit],
  );
