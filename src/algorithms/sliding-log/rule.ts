// The log-based limiters share these questions: sliding log, its pipelined form, bounded log and the
// sentinel (ALG-C2, ALG-C5, ALG-C6). Stamps that have left the window may still be held: they answer
// nothing, whenever they are forgotten.
import { newest, type StampRows } from "./stamps.ts";

/**
 * How long until an attempt passes under allowance `k`, when this one is not written: until the k-th
 * newest attempt has left the window.
 */
export function waitUnwritten(
  rows: StampRows,
  row: number,
  k: number,
  perUs: number,
  nowUs: number,
): number {
  return k < 1 ? Number.POSITIVE_INFINITY : Math.max(0, newest(rows, row, k) + perUs - nowUs);
}

/**
 * The same when this attempt is refused and written, so that it counts as one of the newest (ALG-3,
 * HDR-C1). Stamps of a clock that is ahead stay in front of it.
 */
export function waitWritten(
  rows: StampRows,
  row: number,
  k: number,
  perUs: number,
  nowUs: number,
): number {
  return waitUnwritten(rows, row, k, perUs, nowUs) === 0
    ? 0
    : waitForNext(rows, row, k, perUs, nowUs);
}

/** How long until the attempt after this one passes, once this one is written. */
export function waitForNext(
  rows: StampRows,
  row: number,
  k: number,
  perUs: number,
  nowUs: number,
): number {
  if (k < 1) return Number.POSITIVE_INFINITY;
  const before = k === 1 ? Number.POSITIVE_INFINITY : newest(rows, row, k - 1);
  const kthUs = Math.max(newest(rows, row, k), Math.min(before, nowUs));
  return Math.max(0, kthUs + perUs - nowUs);
}
