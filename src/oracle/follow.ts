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
  type SmoothingBounds,
  type KnownAllowance,
  type AllowanceMove,
} from "./smoothing.ts";

export interface Followed {
  /** floor(A) after each request that was written, by row. */
  readonly wholes: Map<number, number>;
  record: KnownAllowance | null;
  isOpen: boolean;
  /** The longest hold-off that it ever had. */
  delayUs: number;
  /** The last attempt that was refunded: it is in no log, and the record of A may stem from it. */
  givenBackUs: number;
}

/** The effect that a request would have on A; null if A is open. */
export interface Proposal {
  readonly settled: AllowanceMove;
  readonly stepped: AllowanceMove;
}

export function propose(
  followed: Followed,
  writes: readonly Past[],
  window: InWindow,
  now: Moment & { readonly cost: number },
  bounds: SmoothingBounds,
): Proposal | null {
  followed.delayUs = Math.max(followed.delayUs, bounds.delayUs);
  const quietUs = now.loUs - forgottenAfterUs({ ...bounds, delayUs: micros(followed.delayUs) });
  if (followed.givenBackUs < quietUs && writes.every(({ attempt }) => attempt.hiUs < quietUs)) {
    // Whatever A was, it is back at the threshold by now. Its falls are known only if A was.
    if (followed.isOpen || writes.length === 0) [followed.record, followed.isOpen] = [null, false];
  } else if (writes.some(({ counts }) => counts === "maybe")) followed.isOpen = true;
  if (now.loUs !== now.hiUs || followed.isOpen) {
    followed.isOpen = true;
    return null;
  }

  const nowUs = now.loUs;
  const stamps = writes.map(({ attempt }) => attempt.loUs);
  const settled = settle(followed.record, bounds, stamps, nowUs);
  const least = step(settled, bounds, window.least + now.cost, nowUs);
  const most = step(settled, bounds, window.most + now.cost, nowUs);
  const isRecalled = settled.isFresh && nowUs - followed.givenBackUs < idleUs(bounds);
  if (least.allowance.value === most.allowance.value && !isRecalled)
    return { settled, stepped: least };
  followed.isOpen = true;
  return null;
}
