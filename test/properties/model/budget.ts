// One budget by the sentences of the specification: lists of admitted requests and of attempts, read from the beginning
// for every operation. Each has an item for each unit.
import type { Level } from "#src/limiter/core/store.ts";
import {
  applyRequest,
  currentAllowance,
  allowanceAtRest,
  wholePart,
  type Change,
  type ModelAllowance,
} from "./smoothing.ts";

export interface Book {
  readonly admitted: { readonly atUs: number; readonly rate: number }[];
  attempts: number[]; // of the logs, without those that left the window
  record: ModelAllowance | null;
  mark: { readonly untilUs: number; readonly whole: number } | null; // of a sentinel, once it has written
  most: number; // of a bounded log: the largest rate that has used it
}

export const emptyBook = (): Book => ({
  admitted: [],
  attempts: [],
  record: null,
  mark: null,
  most: 0,
});

export const copyOf = (book: Book): Book => ({
  ...book,
  admitted: [...book.admitted],
  attempts: [...book.attempts],
});

const LOGS = ["sliding_log", "non_transactional", "bounded_log", "sentinel"];
export const isLog = ({ algorithm }: Level): boolean => LOGS.includes(algorithm);

const perOf = ({ budget }: Level): number => budget.limit.perUs;
const smoothingOf = ({ budget, rule }: Level) => (rule === null ? null : budget.limit.smoothing);

// ---------------------------------------------------------------- what passes

/** Would a request of this cost pass at `atUs`, if it were the next? */
export function passes(level: Level, book: Book, atUs: number, units: number): boolean {
  switch (level.algorithm) {
    case "fixed_window":
    case "drl": {
      const { endUs, count } = windowOf(level, book);
      return level.capacity >= units && (atUs >= endUs || count + units <= level.capacity);
    }
    case "token_bucket":
    case "gcra":
    case "leaky_bucket":
      return debtOf(level, book, atUs) <= BigInt(level.burst - units) * one(level);
    case "sliding_window_counter":
      return weightOf(level, book, atUs) + BigInt(units) * one(level) <= allOf(level);
    case "sliding_log":
    case "non_transactional":
    case "bounded_log":
      return inWindow(level, book, atUs) + units <= allowanceAt(level, book, atUs, units);
    case "sentinel":
      return level.capacity >= units && isUnmarked(level, book, atUs, units);
  }
}

/** By the mark; by the log if it was written under another allowance (ALG-C5), or for several units (LIM-C19). */
function isUnmarked(level: Level, book: Book, atUs: number, units: number): boolean {
  const whole = capacityAt(level, book, atUs);
  const hasRoom = inWindow(level, book, atUs) + units <= whole;
  if (book.mark === null) return units === 1 || hasRoom;
  const isOver = atUs >= book.mark.untilUs;
  if (level.fixedMark) return isOver && (units === 1 || hasRoom);
  return units === 1 && book.mark.whole === whole ? isOver : hasRoom;
}

/** How long until a request of this cost would pass, without others; infinity if none ever would. */
export function waitOf(level: Level, book: Book, atUs: number, units: number): number {
  if (level.capacity < 1) return Number.POSITIVE_INFINITY;
  const candidates = [atUs, ...instantsOf(level, book, units)].filter((us) => us >= atUs);
  const found = candidates.toSorted((a, b) => a - b).find((us) => passes(level, book, us, units));
  return found === undefined ? Number.POSITIVE_INFINITY : found - atUs;
}

/** Every instant at which the result may change. */
function instantsOf(level: Level, book: Book, units: number): readonly number[] {
  const perUs = perOf(level);
  switch (level.algorithm) {
    case "fixed_window":
    case "drl":
      return [windowOf(level, book).endUs];
    case "token_bucket":
    case "gcra":
    case "leaky_bucket":
    case "sliding_window_counter":
      return book.admitted.length === 0 ? [] : [turnOf(level, book, units)];
    case "sentinel":
      return [book.mark?.untilUs ?? 0, ...book.attempts.map((us) => us + perUs)];
    case "sliding_log":
    case "non_transactional":
    case "bounded_log": {
      const ends = book.attempts.map((us) => us + perUs);
      const smoothing = smoothingOf(level);
      if (smoothing === null || book.record === null) return ends;
      const { holdUntilUs } = book.record;
      const holds = Array.from({ length: 64 }, (_, i) => holdUntilUs + i * smoothing.delayUs);
      return [...ends, ...holds];
    }
  }
}

/** Debts and weights only shrink, so halving finds the first microsecond that passes. */
function turnOf(level: Level, book: Book, units: number): number {
  const perUs = perOf(level);
  const lastUs = Math.max(...book.admitted.map(({ atUs }) => atUs));
  let low = Math.min(...book.admitted.map(({ atUs }) => atUs));
  let high = lastUs + (3 + book.admitted.length) * perUs;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (passes(level, book, middle, units)) high = middle;
    else low = middle + 1;
  }
  return low;
}

// ---------------------------------------------------------------- windows, debts, weights, logs

function windowOf(level: Level, { admitted }: Book): { endUs: number; count: number } {
  const perUs = perOf(level);
  let startUs = Number.NEGATIVE_INFINITY;
  let count = 0;
  for (const { atUs } of admitted) {
    if (atUs < startUs + perUs) count += 1;
    else [startUs, count] = [level.startsAtClock ? atUs - (atUs % perUs) : atUs, 1];
  }
  return { endUs: startUs + perUs, count };
}

const millionths = (rate: number): bigint => BigInt(Math.round(rate * 1_000_000));
/** One request, in units that keep debts and weights whole. */
const one = (level: Level): bigint => BigInt(perOf(level)) * 1_000_000n;
const allOf = (level: Level): bigint => millionths(level.budget.limit.rate) * BigInt(perOf(level));

function debtOf(level: Level, { admitted }: Book, nowUs: number): bigint {
  let debt = 0n;
  let lastUs = Number.NEGATIVE_INFINITY;
  let emptyUs = Number.POSITIVE_INFINITY; // all that wait in a queue have left (ALG-C10)
  const payUntil = (us: number, rate: number): void => {
    if (us >= emptyUs) debt = 0n;
    if (us <= lastUs || debt === 0n) return;
    if (!level.traits.delays && us - lastUs >= longestUs(level, rate)) {
      debt = 0n; // at whatever rate it was taken
      return;
    }
    const left = debt - BigInt(us - lastUs) * millionths(rate);
    debt = left > 0n ? left : 0n;
  };
  for (const { atUs, rate } of admitted) {
    payUntil(atUs, rate);
    debt += one(level);
    lastUs = Math.max(lastUs, atUs);
    if (level.traits.delays) emptyUs = lastUs + paidIn(debt, rate);
  }
  payUntil(nowUs, level.budget.limit.rate);
  return debt;
}

/** A window, or the time in which a burst above the rate is paid back. */
const longestUs = (level: Level, rate: number): number =>
  level.burst > rate ? paidIn(BigInt(level.burst) * one(level), rate) : perOf(level);

const paidIn = (debt: bigint, rate: number): number =>
  Number((debt + millionths(rate) - 1n) / millionths(rate));

/** How long one more would wait for its turn (ALG-C10): until nothing is owed, or all that wait have left. */
export function turnAfter(level: Level, book: Book, nowUs: number): number {
  // Nothing is paid before the latest stamp, which another clock may have set ahead of this one.
  const aheadUs = Math.max(0, ...book.admitted.map(({ atUs }) => atUs - nowUs));
  let [low, high] = [0, aheadUs + (book.admitted.length + 1) * perOf(level)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (debtOf(level, book, nowUs + middle) === 0n) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Both windows of the sliding window counter at `nowUs`, the older one by the part of it that still counts. */
function weightOf(level: Level, { admitted }: Book, nowUs: number): bigint {
  const perUs = perOf(level);
  const { current, previous, window } = twoWindows(
    level,
    admitted.map(({ atUs }) => atUs),
    nowUs,
  );
  const left = Math.min(perUs, (window + 1) * perUs - nowUs);
  return BigInt(previous) * BigInt(left) * 1_000_000n + BigInt(current) * one(level);
}

/** A clock that is behind joins the window that others have begun. */
function twoWindows(
  level: Level,
  admitted: readonly number[],
  nowUs: number,
): { window: number; previous: number; current: number } {
  const windows: number[] = [];
  const windowAt = (us: number): number =>
    Math.max(Math.floor(us / perOf(level)), windows.at(-1) ?? 0);
  for (const us of admitted) windows.push(windowAt(us));
  const window = windowAt(nowUs);
  return {
    window,
    previous: windows.filter((each) => each === window - 1).length,
    current: windows.filter((each) => each === window).length,
  };
}

const inWindow = (level: Level, { attempts }: Book, nowUs: number): number =>
  attempts.filter((us) => us > nowUs - perOf(level)).length;

function allowanceAt(level: Level, book: Book, atUs: number, units: number): number {
  const smoothing = smoothingOf(level);
  if (smoothing === null) return level.capacity;
  return wholePart(
    applyRequest(level.budget.limit, smoothing, book.record, book.attempts, atUs, units).record
      .value,
  );
}

// ---------------------------------------------------------------- what is written

/** Removes attempts that no longer count; the sentinel does so only when it writes. */
export function lookAt(level: Level, book: Book, atUs: number): void {
  if (isLog(level) && level.rule === null && level.algorithm !== "sentinel")
    forget(level, book, atUs);
}

function forget(level: Level, book: Book, atUs: number): void {
  book.attempts = book.attempts.filter((us) => us > atUs - perOf(level));
}

/** Writes an attempt once for each unit; an algorithm without a log writes only admitted ones. */
export function write(level: Level, book: Book, atUs: number, units: number): readonly Change[] {
  const each = Array.from({ length: units }, () => atUs);
  if (!isLog(level)) {
    const { rate } = level.budget.limit;
    book.admitted.push(...each.map((us) => ({ atUs: us, rate })));
    return [];
  }
  const smoothing = smoothingOf(level);
  const next =
    smoothing === null
      ? null
      : applyRequest(level.budget.limit, smoothing, book.record, book.attempts, atUs, units);
  if (next !== null) book.record = next.record;
  if (next !== null || level.algorithm === "sentinel") forget(level, book, atUs);
  book.attempts.push(...each);
  if (level.algorithm === "bounded_log") {
    const { rate } = level.budget.limit;
    book.most = Math.max(book.most, smoothing === null ? level.capacity : Math.ceil(rate));
    book.attempts = book.attempts
      .toSorted((a, b) => a - b)
      .slice(Math.max(0, book.attempts.length - book.most));
  }
  if (level.algorithm === "sentinel") setMark(level, book, atUs);
  return next?.changes ?? [];
}

function setMark(level: Level, book: Book, atUs: number): void {
  const whole = capacityAt(level, book, atUs);
  const newestFirst = book.attempts.toSorted((a, b) => b - a);
  const kth = whole < 1 ? Number.POSITIVE_INFINITY : newestFirst[whole - 1];
  let untilUs = book.mark?.untilUs ?? 0;
  if (!level.fixedMark) untilUs = kth === undefined ? 0 : kth + perOf(level);
  else if (kth !== undefined && untilUs <= atUs) untilUs = atUs + perOf(level);
  book.mark = { untilUs, whole };
}

// ---------------------------------------------------------------- reported numbers

/** The capacity, or floor(A): as time has moved it, and for a sentinel as its last write left it (ALG-C5). */
function capacityAt(level: Level, { record, attempts }: Book, atUs: number): number {
  const smoothing = smoothingOf(level);
  if (smoothing === null) return level.capacity;
  const { limit } = level.budget;
  return wholePart(
    level.algorithm === "sentinel"
      ? allowanceAtRest(limit, smoothing, record, atUs)
      : currentAllowance(limit, smoothing, record, attempts, atUs),
  );
}

/** HDR-C2: a share of DRL is what one gateway admits, not what the limit is. */
export const limitInHeaders = (level: Level, book: Book, nowUs: number): number =>
  level.algorithm === "drl" ? Math.floor(level.budget.limit.rate) : capacityAt(level, book, nowUs);

export function remaining(level: Level, book: Book, nowUs: number): number {
  const left = ((): number => {
    switch (level.algorithm) {
      case "fixed_window":
      case "drl": {
        const { endUs, count } = windowOf(level, book);
        return level.capacity - (nowUs < endUs ? count : 0);
      }
      case "token_bucket":
      case "gcra":
      case "leaky_bucket":
        return Number((BigInt(level.burst) * one(level) - debtOf(level, book, nowUs)) / one(level));
      case "sliding_window_counter":
        return Number((allOf(level) - weightOf(level, book, nowUs)) / one(level));
      case "sliding_log":
      case "non_transactional":
      case "bounded_log":
      case "sentinel":
        return capacityAt(level, book, nowUs) - inWindow(level, book, nowUs);
    }
  })();
  return Math.max(0, left);
}

/** When the whole budget is available again, without other requests. */
export function fullUs(level: Level, book: Book, nowUs: number): number {
  const perUs = perOf(level);
  switch (level.algorithm) {
    case "fixed_window":
    case "drl":
      return Math.max(nowUs, windowOf(level, book).endUs);
    case "token_bucket":
    case "gcra": {
      const { rate } = level.budget.limit;
      const lastUs = Math.max(...book.admitted.map(({ atUs }) => atUs));
      const lastsUs = Math.min(longestUs(level, rate), paidIn(debtOf(level, book, lastUs), rate));
      return Math.max(nowUs, lastUs + lastsUs);
    }
    case "leaky_bucket":
      return nowUs + turnAfter(level, book, nowUs);
    case "sliding_window_counter": {
      const admitted = book.admitted.map(({ atUs }) => atUs);
      const { window, current, previous } = twoWindows(level, admitted, nowUs);
      if (previous + current === 0) return nowUs;
      return (window + (current > 0 ? 2 : 1)) * perUs;
    }
    case "sliding_log":
    case "non_transactional":
    case "bounded_log":
    case "sentinel":
      return Math.max(nowUs, ...book.attempts.map((us) => us + perUs));
  }
}
