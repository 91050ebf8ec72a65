// Timestamps of logs, read from bytes: no string is created for a line. The form follows from the value itself:
// 05/Jan/2026:10:00:00 +0000, 2026-01-05T10:00:00.250Z, or a number since 1970.
import { SECOND } from "../../kit/units.ts";

const SLASH = 47;
const DASH = 45;
const DOT = 46;
const COMMA = 44;
const COLON = 58;
const PLUS = 43;
const ZERO = 48;
const FAST_DIGITS = 9;
const MINUTE_US = 60 * SECOND;
const HOUR_US = 60 * MINUTE_US;
const DAY_MS = 86_400_000;

export interface TimestampReader {
  /** The unit of the last digit in the timestamp read last, such as 1,000 for milliseconds. */
  resolutionUs: number;
  /** Returns microseconds since 1970, or NaN if the bytes are no time. */
  readonly read: (bytes: Uint8Array, from: number, to: number) => number;
}

/** `zoneUs`: the offset from UTC of timestamps without a zone. */
export function timestampReader(zoneUs: number = 0): TimestampReader {
  let dayKey = -1;
  let dayUs = 0;

  /** The start of a day. The last result is remembered, because a log may have millions of lines for a day. */
  const startOfDay = (year: number, month: number, day: number): number => {
    const key = (year * 16 + month) * 32 + day;
    if (key === dayKey) return dayUs;
    const ms = Date.UTC(year, month - 1, day);
    const isReal = month >= 1 && month <= 12 && day >= 1 && new Date(ms).getUTCDate() === day;
    if (!isReal || Number.isNaN(ms) || ms % DAY_MS !== 0) return Number.NaN;
    dayKey = key;
    dayUs = ms * 1000;
    return dayUs;
  };

  /** Reads `hh:mm:ss`, an optional fraction, and an optional zone, which may follow a space. */
  const timeOfDay = (bytes: Uint8Array, from: number, to: number): number => {
    if (bytes[from + 2] !== COLON || bytes[from + 5] !== COLON || to < from + 8) return Number.NaN;
    const hour = digits(bytes, from, from + 2);
    const minute = digits(bytes, from + 3, from + 5);
    const second = digits(bytes, from + 6, from + 8);
    if (!(hour < 24 && minute < 60 && second <= 60)) return Number.NaN; // also true if a number is NaN
    let at = from + 8;
    let fractionUs = 0;
    reader.resolutionUs = SECOND;
    if (bytes[at] === DOT || bytes[at] === COMMA) {
      let unitUs: number = SECOND;
      const first = ++at;
      for (; at < to && isDigit(bytes[at]!); at++) {
        unitUs /= 10;
        if (unitUs >= 1) fractionUs += (bytes[at]! - ZERO) * unitUs;
      }
      if (at === first) return Number.NaN;
      reader.resolutionUs = Math.max(1, unitUs);
    }
    return (
      hour * HOUR_US +
      minute * MINUTE_US +
      second * SECOND +
      Math.round(fractionUs) -
      offsetOf(bytes, at, to, zoneUs)
    );
  };

  const reader: TimestampReader = {
    resolutionUs: SECOND,
    read: (bytes, from, to) => {
      const length = to - from;
      if (length >= 20 && bytes[from + 2] === SLASH && bytes[from + 6] === SLASH)
        return (
          startOfDay(
            digits(bytes, from + 7, from + 11),
            monthOf(bytes, from + 3),
            digits(bytes, from, from + 2),
          ) + timeOfDay(bytes, from + 12, to)
        );
      if (length >= 19 && bytes[from + 4] === DASH && bytes[from + 7] === DASH)
        return (
          startOfDay(
            digits(bytes, from, from + 4),
            digits(bytes, from + 5, from + 7),
            digits(bytes, from + 8, from + 10),
          ) + timeOfDay(bytes, from + 11, to)
        );
      return sinceEpoch(bytes, from, to);
    },
  };

  /** Reads a number since 1970, whose size shows its unit (seconds to nanoseconds) until the year 5138. */
  const sinceEpoch = (bytes: Uint8Array, from: number, to: number): number => {
    let high = 0; // computing with small integers is faster
    let at = from;
    const middle = Math.min(to, from + FAST_DIGITS);
    for (; at < middle && isDigit(bytes[at]!); at++) high = high * 10 + (bytes[at]! - ZERO);
    let whole: number = high;
    for (; at < to && isDigit(bytes[at]!); at++) whole = whole * 10 + (bytes[at]! - ZERO);
    const count = at - from;
    if (count < 9 || count > 19) return Number.NaN;
    const unitUs = count <= 11 ? SECOND : count <= 14 ? 1000 : count <= 17 ? 1 : 0.001;
    let us = whole * unitUs;
    let placeUs = unitUs;
    if (at < to && bytes[at] === DOT) {
      let fraction = 0;
      for (at++; placeUs > 1 && at < to && isDigit(bytes[at]!); at++) {
        placeUs /= 10;
        fraction = fraction * 10 + (bytes[at]! - ZERO);
      }
      us += fraction * placeUs;
      for (; at < to && isDigit(bytes[at]!); at++) {
        placeUs /= 10;
        us += (bytes[at]! - ZERO) * placeUs;
      }
    }
    reader.resolutionUs = Math.max(1, placeUs);
    return at === to ? Math.round(us) : Number.NaN;
  };
  return reader;
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= 57;

function digits(bytes: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = bytes[at]! - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const lettersOf = (a: number, b: number, c: number): number =>
  ((a | 32) << 16) | ((b | 32) << 8) | (c | 32);
const MONTH_BY_LETTERS = new Map(
  MONTHS.map((name, index) => [
    lettersOf(name.charCodeAt(0), name.charCodeAt(1), name.charCodeAt(2)),
    index + 1,
  ]),
);

const monthOf = (bytes: Uint8Array, at: number): number =>
  MONTH_BY_LETTERS.get(lettersOf(bytes[at]!, bytes[at + 1]!, bytes[at + 2]!)) ?? 0;

/** Reads a zone: `Z`, `+01:00` or `+0100`, perhaps after a space. If there is none, `zoneUs` applies. */
function offsetOf(bytes: Uint8Array, from: number, to: number, zoneUs: number): number {
  let at = from;
  if (at < to && bytes[at] === 32) at++;
  if (at === to) return zoneUs;
  const sign = bytes[at]!;
  if ((sign | 32) === 122) return at + 1 === to ? 0 : Number.NaN;
  if (sign !== PLUS && sign !== DASH) return Number.NaN;
  const colon = bytes[at + 3] === COLON ? 1 : 0;
  if (to !== at + 5 + colon) return Number.NaN;
  const us =
    digits(bytes, at + 1, at + 3) * HOUR_US +
    digits(bytes, at + 3 + colon, at + 5 + colon) * MINUTE_US;
  return sign === PLUS ? us : -us;
}

/** Parses a zone such as `+02:00`, `-0530` or `Z` to microseconds. Null: it is no zone. */
export function parseZone(text: string): number | null {
  const bytes = new TextEncoder().encode(text);
  const us = offsetOf(bytes, 0, bytes.length, Number.NaN);
  return Math.abs(us) < DAY_MS * 1000 ? us : null;
}
