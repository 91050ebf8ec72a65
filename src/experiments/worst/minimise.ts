// The smallest pattern that reaches as much: fewer bursts, fewer requests, rounder times.
import { inOrder, type Burst, type Pattern } from "./pattern.ts";
import type { Tried } from "./play.ts";

/** The pattern's own result where it reaches as much as is wanted. */
export type Reaches = (pattern: Pattern) => Tried | null;

export function minimise(found: Tried, reaches: Reaches): Tried {
  let best = found;
  const improve = (next: Pattern): boolean => {
    const tried = reaches(next);
    if (tried !== null) best = tried;
    return tried !== null;
  };
  const fewer = (): boolean => {
    let changed = false;
    for (let at = best.pattern.length - 1; at >= 0; at--) {
      const { pattern } = best;
      if (pattern.length > 1 && improve(pattern.toSpliced(at, 1))) changed = true;
    }
    for (let at = best.pattern.length - 2; at >= 0; at--) {
      const { pattern } = best;
      const [one, next] = [pattern[at]!, pattern[at + 1]];
      if (next === undefined || next.client !== one.client) continue;
      const count = one.count + next.count;
      const asOne = [next.atUs, one.atUs].map((atUs) =>
        inOrder(pattern.toSpliced(at, 2, { ...one, atUs, count })),
      );
      if (asOne.some(improve)) changed = true;
    }
    return changed;
  };
  const smaller = (): boolean => {
    let changed = false;
    for (let at = 0; at < best.pattern.length; at++) {
      for (let cut = best.pattern[at]!.count - 1; cut >= 1;) {
        const { pattern } = best;
        const one = pattern[at]!;
        if (one.count > cut && improve(pattern.with(at, { ...one, count: one.count - cut })))
          changed = true;
        else cut = Math.floor(cut / 2);
      }
    }
    return changed;
  };
  while (fewer() || smaller());
  const roundest = (): boolean => {
    let changed = false;
    for (let at = 0; at < best.pattern.length; at++)
      for (const atUs of rounder(best.pattern[at]!)) {
        const { pattern } = best;
        if (!improve(inOrder(pattern.with(at, { ...pattern[at]!, atUs })))) continue;
        changed = true;
        break;
      }
    return changed;
  };
  while (fewer() || smaller());
  improve(shifted(best.pattern, -best.pattern[0]!.atUs));
  while (best.pattern.length <= FEW && roundest());
  return best;
}

/** Beyond, single requests stand at even distances, and should go on to. */
const FEW = 8;

const shifted = (pattern: Pattern, us: number): Pattern =>
  inOrder(pattern.map((burst) => ({ ...burst, atUs: burst.atUs + us })));

const UNITS_US = [1_000_000, 100_000, 10_000, 1_000, 100, 10];

/** The roundest first; what is as round already stays. */
const rounder = ({ atUs }: Burst): readonly number[] =>
  UNITS_US.filter((unit) => !UNITS_US.some((round) => round >= unit && atUs % round === 0)).flatMap(
    (unit) => [Math.floor(atUs / unit) * unit, Math.ceil(atUs / unit) * unit],
  );
