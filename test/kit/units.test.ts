import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ceilSeconds,
  formatDuration,
  micros,
  microsToSeconds,
  parseDuration,
  parseOasDuration,
  SECOND,
  secondsToMicros,
  toMilliseconds,
} from "#src/kit/units.ts";
import { holds } from "../runs.ts";

describe("the duration of an OAS limit (EPT-C4)", () => {
  test.each([
    ["10s", 10_000_000],
    ["1m30s", 90_000_000],
    ["500ms", 500_000],
    ["1h", 3_600_000_000],
    ["1h2m3s4ms", 3_723_004_000],
    ["1m1ms", 60_001_000],
    ["0h1s", 1_000_000],
  ])("%s", (text, us) => {
    expect(parseOasDuration(text)).toBe(us);
  });

  test.each([
    "",
    "0s",
    "10",
    "s",
    "1s1s",
    "30s1m", // not falling
    "1ms1s",
    "1.5s",
    "-1s",
    "1 s",
    "1us",
    "1d",
    "10S",
    " 10s",
    "99999999999999999h", // no exact number of microseconds
  ])("%j is none", (text) => {
    expect(parseOasDuration(text)).toBeNull();
  });
});

describe("the duration of a scenario", () => {
  test.each([
    ["0s", 0],
    ["1.1s", 1_100_000],
    ["250us", 250],
    ["0.4us", 0],
    ["1m30s", 90_000_000],
    ["1s1m", 61_000_000],
    ["0.5h", 1_800_000_000],
    ["1.0000005s", 1_000_001], // rounded to the microsecond
  ])("%s", (text, us) => {
    expect(parseDuration(text)).toBe(us);
  });

  test.each(["", "1", "s", ".5s", "1.s", "-1s", "1e3s", "1 s", "99999999999999999h"])(
    "%j is none",
    (text) => {
      expect(parseDuration(text)).toBeNull();
    },
  );

  test("is read back from its own text, up to a year", () => {
    const year = 365 * 24 * 3600 * 1_000_000;
    const us = fc.oneof(fc.nat(), fc.nat(2_000), fc.integer({ min: 0, max: year }));
    holds(
      fc.property(us, (value) => {
        expect(parseDuration(formatDuration(micros(value)))).toBe(value);
      }),
      2_000,
    );
  });

  test.each([
    [0, "0s"],
    [1, "1us"],
    [1_000, "1ms"],
    [1_500, "1.5ms"],
    [1_000_000, "1s"],
    [1_500_000, "1.5s"],
    [90_000_000, "90s"],
    [Number.POSITIVE_INFINITY, "never"],
  ])("%d us is written %s", (us, text) => {
    expect(formatDuration(micros(us))).toBe(text);
  });
});

describe("seconds", () => {
  test.each([
    [0, 0],
    [1, 1],
    [1_000_000, 1],
    [1_000_001, 2],
  ])("%d us are %d whole ones, rounded up", (us, seconds) => {
    expect(ceilSeconds(micros(us))).toBe(seconds);
  });

  test("become whole microseconds, and seconds again", () => {
    expect(secondsToMicros(0.0000014)).toBe(1);
    expect(microsToSeconds(secondsToMicros(1.25))).toBe(1.25);
  });
});

test.each([
  [0, 1],
  [1, 1],
  [1_001, 2],
  [30 * SECOND, 30_000],
  [365 * 24 * 3_600 * SECOND, 2_147_483_647],
])("of %d us a timer gets %d ms", (us, ms) => {
  expect(toMilliseconds(micros(us))).toBe(ms);
});
