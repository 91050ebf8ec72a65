// Follows the allowance of every smoothed budget through a history, request by request, as far as the
// timing allows; where it does not, the allowance is open until the budget has surely been forgotten.
import { micros } from "../core/units.ts";
import type { Moment, Past } from "./ledger.ts";
import type { InWindow } from "./log.ts";
import {
  forgottenAfterUs,
  idleUs,
  settle,
  step,
  type Bounds,
  type Kept,
  type Moved,
} from "./smoothing.ts";

export interface Followed {
  /** floor(A) as each request that was written left it, by row. */
  readonly wholes: Map<number, number>;
  kept: Kept | null;
  isOpen: boolean;
  /** The longest hold-off that it was ever under. */
  delayUs: number;
  /** The last attempt that was given back: it is in no log, and the record of A may stem from it. */
  givenBackUs: number;
}

/** What a request would do to A; null where A is open. */
export interface Proposal {
  readonly settled: Moved;
  readonly stepped: Moved;
}

export function propose(
  followed: Followed,
  writes: readonly Past[],
  window: InWindow,
  now: Moment,
  bounds: Bounds,
): Proposal | null {
  followed.delayUs = Math.max(followed.delayUs, bounds.delayUs);
  const quietUs = now.loUs - forgottenAfterUs({ ...bounds, delayUs: micros(followed.delayUs) });
  if (followed.givenBackUs < quietUs && writes.every(({ attempt }) => attempt.hiUs < quietUs)) {
    // Whatever A was, it has walked back by now. Its falls are known only if A was.
    if (followed.isOpen || writes.length === 0) [followed.kept, followed.isOpen] = [null, false];
  } else if (writes.some(({ counts }) => counts === "maybe")) followed.isOpen = true;
  if (now.loUs !== now.hiUs || followed.isOpen) {
    followed.isOpen = true;
    return null;
  }

  const nowUs = now.loUs;
  const stamps = writes.map(({ attempt }) => attempt.loUs);
  const settled = settle(followed.kept, bounds, stamps, nowUs);
  const least = step(settled, bounds, window.least + 1, nowUs);
  const most = step(settled, bounds, window.most + 1, nowUs);
  const isRecalled = settled.isFresh && nowUs - followed.givenBackUs < idleUs(bounds);
  if (least.allowance.value === most.allowance.value && !isRecalled)
    return { settled, stepped: least };
  followed.isOpen = true;
  return null;
}
