import { expect, test } from "vitest";
import { SECOND } from "#src/kit/units.ts";
import {
  countWords,
  explainNames,
  isConcentrated,
  namesOrCount,
  namesWords,
  spanWords,
  withinWords,
} from "#src/show/answers/words.ts";

const NAMES = ["a", "b", "c", "d", "e"];
const upTo = (of: (names: readonly string[]) => string): readonly string[] =>
  NAMES.map((_, at) => of(NAMES.slice(0, at + 1)));

test("a list has as many names as a sentence can have, and the number of the others", () => {
  expect(upTo((names) => namesWords(names, 3))).toEqual([
    "a",
    "a and b",
    "a, b and c",
    "a, b and 2 others",
    "a, b and 3 others",
  ]);
  expect(upTo((names) => namesOrCount(names, "clients")).slice(2)).toEqual([
    "a, b and c",
    "4 clients",
    "5 clients",
  ]);
});

test("a name that is not common is explained once, where it comes first", () => {
  const of = (...texts: readonly string[]) =>
    explainNames(texts.map((text) => ({ id: "a", text, numbers: {} }))).map(({ text }) => text);
  expect(of("Take GCRA.", "DRL or DRL.", "A log, DRL.")).toEqual([
    "Take GCRA.",
    "DRL (distributed rate limiter: each gateway counts its share) or DRL.",
    "A log, DRL.",
  ]);
  expect(of("a log with a sentinel, DRLs")).toEqual([
    "a log with a sentinel (one mark refuses until it expires), DRLs",
  ]);
});

test("a part with less than twice its even share is no news", () => {
  expect(isConcentrated(0.903, 216 / 250)).toBe(false);
  expect(isConcentrated(0.9, 9 / 20)).toBe(true);
});

test("a span has the largest unit of which it has two", () => {
  expect([1, 119, 120, 7_199, 7_200, 172_799, 172_800].map((s) => spanWords(s * SECOND))).toEqual([
    "1 second",
    "119 seconds",
    "2 minutes",
    "120 minutes",
    "2 hours",
    "48 hours",
    "2 days",
  ]);
});

test("a window of one unit is one of it", () => {
  expect([60, 120].map((s) => withinWords(s * SECOND))).toEqual([
    "in one minute",
    "within 2 minutes",
  ]);
});

test("a count of 0 is none", () => {
  expect([0, 1, 2103].map(countWords)).toEqual(["none", "1", "2,103"]);
});
