// Reads durations in the form that files contain, such as "1m30s".
import { micros, parseDuration, SECOND, type Micros } from "../units.ts";
import { shape, type Shape, type Json } from "./shape.ts";

const DURATION = String.raw`(?:\d+(?:\.\d+)?(?:us|ms|s|m|h))+`;

export const DURATION_UNITS = "us, ms, s, m or h";

const DURATION_FIX_ABOVE_0 = 'write it with a unit, at most a year: "1.1s", "250ms", "1m30s"';

const DURATION_FIX = `${DURATION_FIX_ABOVE_0}, "0s"`;

/** The longest duration in a file, a year: the sum of a few such durations is still an exact integer. */
export const LONGEST = 365 * 24 * 3600 * SECOND;

export const durationIn = (value: Json): Micros | undefined => {
  const us = typeof value === "string" ? parseDuration(value) : null;
  return us === null || us > LONGEST ? undefined : us;
};

/** A time since the start of the run, or a duration that may be 0. */
export const duration: Shape<Micros> = shape(
  "a duration",
  { type: "string", pattern: `^${DURATION}$` },
  durationIn,
  DURATION_FIX,
);

export const durationAbove0: Shape<Micros> = shape(
  "a duration above 0",
  { type: "string", pattern: `^${DURATION}$` },
  (value) => {
    const us = durationIn(value);
    return us === undefined || us === 0 ? undefined : us;
  },
  DURATION_FIX_ABOVE_0,
);

/** A duration that may be negative, for a clock that is behind. */
export const signedDuration: Shape<Micros> = shape(
  "a duration, with a minus or without",
  { type: "string", pattern: `^-?${DURATION}$` },
  (value) => {
    const text = typeof value === "string" ? value : "";
    const us = durationIn(text.replace(/^-/, ""));
    return us === undefined ? undefined : micros(text.startsWith("-") ? 0 - us : us);
  },
  DURATION_FIX,
);
