// The only unit of time: integer microseconds since the Unix epoch. No layer has to round them: they are exact until
// the year 2255 in a double, and so in the scores of Redis' sorted sets, which are doubles.

declare const unit: unique symbol;
export type Micros = number & { readonly [unit]: "us" };

export const micros = (value: number): Micros => value as Micros;

export const MILLISECOND: Micros = micros(1_000);
export const SECOND: Micros = micros(1_000_000);
export const NEVER: Micros = micros(Number.POSITIVE_INFINITY);

export const secondsToMicros = (seconds: number): Micros => micros(Math.round(seconds * SECOND));
export const microsToSeconds = (us: Micros): number => us / SECOND;

/** The start of a window that is aligned to the epoch. Exact, and much faster than the remainder operator. */
export const startOfWindow = (nowUs: number, perUs: number): number =>
  Math.floor(nowUs / perUs) * perUs;

/** Whole seconds, rounded up: the only unit of time in HTTP headers. */
export const ceilSeconds = (us: Micros): number => Math.ceil(us / SECOND);

/** A wait in whole seconds: rounded up, and never 0, which clients read as "at once" (HDR-C1). */
export const waitSeconds = (waitUs: number): number => Math.max(1, Math.ceil(waitUs / SECOND));

const FALLING = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+)s)?(?:(\d+)ms)?$/;

/**
 * Parses an OAS duration (EPT-C4): integers with h, m, s, ms in this order, each at most once, with a sum above 0. Null
 * for any other text.
 */
export function parseOasDuration(text: string): Micros | null {
  const match = FALLING.exec(text);
  if (match === null) return null;
  const part = (group: number): number => Number(match[group] ?? 0);
  const us = ((part(1) * 60 + part(2)) * 60 + part(3)) * SECOND + part(4) * MILLISECOND;
  return us > 0 && Number.isSafeInteger(us) ? micros(us) : null;
}

const UNITS: Readonly<Record<string, number>> = {
  us: 1,
  ms: 1_000,
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
};
const PARTS = /^(?:\d+(?:\.\d+)?(?:us|ms|s|m|h))+$/;
const PART = /(\d+(?:\.\d+)?)(us|ms|s|m|h)/gy;

/** Parses a duration of a scenario; decimals are allowed (`1.1s`, `1m30s`, `0s`). Null for any other text. */
export function parseDuration(text: string): Micros | null {
  if (!PARTS.test(text)) return null;
  let us = 0;
  for (const [, amount, unitName] of text.matchAll(PART)) us += Number(amount) * UNITS[unitName!]!;
  const whole = Math.round(us);
  return Number.isSafeInteger(whole) ? micros(whole) : null;
}

/** The shortest exact text that `parseDuration` reads back. */
export function formatDuration(us: Micros): string {
  if (!Number.isFinite(us)) return "never";
  if (us === 0 || Math.abs(us) >= SECOND) return `${us / SECOND}s`;
  return Math.abs(us) >= MILLISECOND ? `${us / MILLISECOND}ms` : `${us}us`;
}

/** The same for sentences: "250 ms". */
export const durationWords = (us: number): string =>
  formatDuration(micros(us)).replace(/(?<=\d)(?=[a-z])/, " ");

const LONGEST_TIMER_MS = 2 ** 31 - 1; // 24 days; Node runs a longer timer after one millisecond

/** Whole milliseconds for a timer, at least 1: for some options of a server, 0 means never. */
export const toMilliseconds = (us: Micros): number =>
  Math.min(LONGEST_TIMER_MS, Math.max(1, Math.ceil(us / 1_000)));
