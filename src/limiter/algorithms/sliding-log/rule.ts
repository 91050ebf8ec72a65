// The waits of all log-based limiters: sliding log, its pipelined form, bounded log and sentinel (ALG-C2, ALG-C5,
// ALG-C6). A log may still hold timestamps that have left the window; they change no result.
import { newest, type StampRows } from "./stamps.ts";

/**
 * How long until an attempt of this cost is admitted under allowance `k`, if the attempt is not written now: until
 * enough of the oldest units have left the window. An attempt of several units is several equal timestamps.
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
 * As `waitUnwritten`, but a refused attempt is written, and so becomes one of the newest (ALG-3, HDR-C1). Only a
 * timestamp from a gateway whose clock is ahead is newer than that attempt.
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

/** How long until an attempt of `next` units is admitted, after an attempt of `units` units is written now. */
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
  const last = k - next + 1; // rank (1: newest) of the unit that has to leave before `next` units fit
  const before = last <= units ? Number.POSITIVE_INFINITY : newest(rows, row, last - units);
  const lastUs = Math.max(newest(rows, row, last), Math.min(before, nowUs));
  return Math.max(0, lastUs + perUs - nowUs);
}
