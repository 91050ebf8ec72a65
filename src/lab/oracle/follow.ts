// Follows the allowance of every smoothed budget through a history, request by request. If the timing allows several
// values, the allowance is unknown until the budget has surely been forgotten.
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
  /** The allowance after each written request, rounded down, by row. */
  readonly wholes: Map<number, number>;
  record: KnownAllowance | null;
  isOpen: boolean; // the allowance is unknown
  /** The longest hold-off that the budget has had so far. */
  delayUs: number;
  /** The last written attempt. A reset removes it from the log but leaves the record of the allowance (EVT-1). */
  lastWritten: LedgerAttempt | null;
  /** The last refunded attempt. It is in no log, but it may have set the recorded allowance. */
  lastRefunded: LedgerAttempt | null;
}

/** The allowance before a request is counted (`settled`), and after its own step (`stepped`); null if unknown. */
export interface Proposal {
  readonly settled: AllowanceMove;
  readonly stepped: AllowanceMove;
}

/** The past of a budget in its store: attempts in its log, and the last attempts that may have set the allowance. */
export interface SmoothedPast {
  readonly writes: readonly Past[];
  readonly window: InWindow;
  readonly lastWritten: Past | null;
  readonly lastRefunded: Past | null;
}

/** The latest written stamp, even if its attempt has left the log. */
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
    // The allowance is surely back at the threshold now. When it fell is known only if its earlier value was known.
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
