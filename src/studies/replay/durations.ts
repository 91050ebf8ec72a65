// Durations of requests: a number in the unit of its column, or a text with units, as programs in Go write them.
import { numberIn } from "./numbers.ts";

const UNITS_US: Readonly<Record<string, number>> = {
  h: 3_600_000_000,
  m: 60_000_000,
  s: 1_000_000,
  ms: 1000,
  us: 1,
  µs: 1, // U+00B5
  μs: 1, // U+03BC
  ns: 0.001,
};
const PART = String.raw`(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|μs|ns)`;
const WHOLE = new RegExp(`^(?:${PART})+$`);
const PARTS = new RegExp(PART, "g");
const decoder = new TextDecoder();

/** Returns microseconds, from `0.0125` in seconds, `12.5ms` or `1m2.5s`; NaN if the bytes are no duration. */
export function durationUsIn(bytes: Uint8Array, from: number, to: number, unitUs: number): number {
  const number = numberIn(bytes, from, to);
  if (!Number.isNaN(number)) return Math.round(number * unitUs);
  const text = decoder.decode(bytes.subarray(from, to));
  if (!WHOLE.test(text)) return Number.NaN;
  const parts = [...text.matchAll(PARTS)];
  return Math.round(
    parts.reduce((us, [, count, unit]) => us + Number(count) * UNITS_US[unit!]!, 0),
  );
}
