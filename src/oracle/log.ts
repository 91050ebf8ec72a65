// The sliding log by its definition (ALG-C2): in the window are all attempts younger than `per`.
import { never, span, type Answer } from "./level-answer.ts";
import type { Attempt, Moment, Past } from "./ledger.ts";

export interface InWindow {
  readonly least: number; // certainly in the window
  readonly most: number; // perhaps
  readonly oldest: readonly number[]; // stamps, newest first, each as early and as few as possible
  readonly newest: readonly number[]; // each as late and as many as possible
}

const isWritten = ({ trace }: Attempt): boolean => trace !== "visited";

/**
 * An entry that a later stamp has pushed out of the window may have been dropped before a gateway whose
 * clock is behind asks again: it counts among the most, not among the least.
 */
export function inWindow(past: readonly Past[], now: Moment, perUs: number): InWindow {
  const latestUs = past.reduce((latest, { attempt }) => Math.max(latest, attempt.hiUs), now.hiUs);
  const certain = past.filter(
    ({ attempt, counts }) =>
      counts === "yes" && isWritten(attempt) && attempt.loUs > latestUs - perUs,
  );
  const possible = past.filter(
    ({ attempt }) => isWritten(attempt) && attempt.hiUs > now.loUs - perUs,
  );
  return {
    least: certain.length,
    most: possible.length,
    oldest: descending(certain.map(({ attempt }) => attempt.loUs)),
    newest: descending(possible.map(({ attempt }) => attempt.hiUs)),
  };
}

const descending = (stamps: readonly number[]): number[] => stamps.toSorted((a, b) => b - a);

/** Refused when the count before and this one exceed the allowance. `written`: a refusal stays in this log. */
export function judgeLog(
  window: InWindow,
  allowance: number,
  perUs: number,
  now: Moment,
  written: boolean,
): Answer {
  const k = Math.floor(allowance);
  if (k < 1) return never("the limit admits nothing");
  const why = `${span(window.least, window.most)} attempts in the window, ${k} allowed`;
  return {
    pass: window.least < k,
    refuse: window.most >= k,
    waitUs: waitOf(window, k, perUs, now, written),
    why,
  };
}

/** HDR-C1: the k-th newest attempt must leave, this one counted as the newest if it stays in the log. */
export function waitOf(
  window: InWindow,
  k: number,
  perUs: number,
  now: Moment,
  written: boolean,
): { fromUs: number; toUs: number } {
  const oldest = written ? descending([...window.oldest, now.loUs]) : window.oldest;
  const newest = written ? descending([...window.newest, now.hiUs]) : window.newest;
  const leaves = (stampUs: number | undefined, nowUs: number): number =>
    stampUs === undefined ? 0 : Math.max(0, stampUs + perUs - nowUs);
  return { fromUs: leaves(oldest[k - 1], now.hiUs), toUs: leaves(newest[k - 1], now.loUs) };
}

/**
 * The bounded log keeps the newest attempts only, as many as the largest rate that used the budget; after
 * a raise it may have forgotten what the full log still counts (ALG-C9).
 */
export function inBoundedWindow(past: readonly Past[], now: Moment, perUs: number): InWindow {
  const writes = past.filter(({ attempt }) => isWritten(attempt));
  let bound = 0;
  let kept: Past[] = [];
  for (const one of writes.filter(({ counts }) => counts === "yes")) {
    bound = Math.max(bound, one.attempt.capacity);
    kept = [...kept, one].toSorted((a, b) => a.attempt.loUs - b.attempt.loUs).slice(-bound);
  }
  const bounded = inWindow(kept, now, perUs);
  const isUnchanged = writes.every(
    ({ attempt, counts }) => counts === "yes" && attempt.capacity === bound,
  );
  if (isUnchanged) return bounded;
  return { ...inWindow(past, now, perUs), least: bounded.least, oldest: bounded.oldest };
}
