// The log-based limiters share these questions: sliding log, its pipelined form, bounded log and the
// sentinel (ALG-C2, ALG-C5, ALG-C6). Stamps that have left the window may still be held: they answer
// nothing, whenever they are forgotten.
import { newest, type StampRows } from "./stamps.ts";

/**
 * How long until an attempt of this cost passes under allowance `k`, when this one is not written: until enough of the
 * oldest units have left the window. An attempt of several units is several stamps of one time.
 */
export function waitUnwritten(
  rows: StampRows,
  row: number,
  k: number,
  perUs: number,
  nowUs: number,
  units: number,
): number {
  return k < units
    ? Number.POSITIVE_INFINITY
    : Math.max(0, newest(rows, row, k - units + 1) + perUs - nowUs);
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
  units: number,
): number {
  return waitUnwritten(rows, row, k, perUs, nowUs, units) === 0
    ? 0
    : waitForNext(rows, row, k, perUs, nowUs, units, units);
}

/** How long until an attempt of `next` units passes, once this one is written. */
export function waitForNext(
  rows: StampRows,
  row: number,
  k: number,
  perUs: number,
  nowUs: number,
  units: number,
  next: number,
): number {
  if (k < next) return Number.POSITIVE_INFINITY;
  const last = k - next + 1; // of the newest units, the one that has to leave
  const before = last <= units ? Number.POSITIVE_INFINITY : newest(rows, row, last - units);
  const lastUs = Math.max(newest(rows, row, last), Math.min(before, nowUs));
  return Math.max(0, lastUs + perUs - nowUs);
}
