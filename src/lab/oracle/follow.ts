// Follows the allowance of every smoothed budget through a history, request by request, as far as the
// timing allows; where it does not, the allowance is open until the budget has surely been forgotten.
import { micros } from "../../kit/units.ts";
import type { LedgerAttempt, Moment, Past } from "./ledger.ts";
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
  /** The last attempt that was written: a reset takes it out of the log, and leaves the record of A (EVT-1). */
  lastWritten: LedgerAttempt | null;
  /** The last attempt that was refunded: it is in no log, and the record of A may stem from it. */
  lastRefunded: LedgerAttempt | null;
}

/** The effect that a request would have on A; null if A is open. */
export interface Proposal {
  readonly settled: AllowanceMove;
  readonly stepped: AllowanceMove;
}

/** The past of a budget in its store: the attempts in its log, and the last ones that A may stem from. */
export interface SmoothedPast {
  readonly writes: readonly Past[];
  readonly window: InWindow;
  readonly lastWritten: Past | null;
  readonly lastRefunded: Past | null;
}

/** The latest stamp that was written, whether it is still in the log or not. */
export const lastStampOf = ({ writes, lastWritten }: SmoothedPast): number =>
  writes.reduce(
    (lastUs, { attempt }) => Math.max(lastUs, attempt.hiUs),
    lastWritten?.attempt.hiUs ?? Number.NEGATIVE_INFINITY,
  );

export function propose(
  followed: Followed,
  past: SmoothedPast,
  now: Moment & { readonly cost: number },
  bounds: SmoothingBounds,
): Proposal | null {
  followed.delayUs = Math.max(followed.delayUs, bounds.delayUs);
  const quietUs = now.loUs - forgottenAfterUs({ ...bounds, delayUs: micros(followed.delayUs) });
  const { writes, window, lastWritten, lastRefunded } = past;
  const all = [...writes, lastWritten, lastRefunded].filter((one) => one !== null);
  if (all.every(({ attempt }) => attempt.hiUs < quietUs)) {
    // Whatever A was, it is back at the threshold by now. Its falls are known only if A was.
    const isLost = writes.length === 0 && lastWritten === null;
    if (followed.isOpen || isLost) [followed.record, followed.isOpen] = [null, false];
  } else if (all.some(({ counts }) => counts === "maybe")) followed.isOpen = true;
  if (now.loUs !== now.hiUs || followed.isOpen) {
    followed.isOpen = true;
    return null;
  }

  const nowUs = now.loUs;
  const stamps = writes.map(({ attempt }) => attempt.loUs);
  const settled = settle(followed.record, bounds, { stamps, lastUs: lastStampOf(past) }, nowUs);
  const least = step(settled, bounds, window.least + now.cost, nowUs);
  const most = step(settled, bounds, window.most + now.cost, nowUs);
  const isRecalled =
    settled.isFresh && lastRefunded !== null && nowUs - lastRefunded.attempt.hiUs < idleUs(bounds);
  if (least.allowance.value === most.allowance.value && !isRecalled)
    return { settled, stepped: least };
  followed.isOpen = true;
  return null;
}
