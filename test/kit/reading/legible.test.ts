import { expect, test } from "vitest";
import {
  countText,
  exactPercent,
  figure,
  many,
  oneLine,
  plural,
} from "#src/kit/reading/legible.ts";

test.each([
  ["six\n::error::no", String.raw`six\n::error::no`],
  ["a\r\tb", String.raw`a\r\tb`],
  ["\u001B[2K\u009B\u0000", String.raw`\u001b[2K\u009b\u0000`],
  ["##[error]no", String.raw`#\u0023[error]no`],
  ["###[ ## [#] é 😀", String.raw`##\u0023[ ## [#] é 😀`],
])("%j stays one line without commands", (text, expected) => {
  expect(oneLine(text)).toBe(expected);
});

test.each([
  [1_234_567, "1,234,567"],
  [184.4, "184"],
  [18.44, "18.4"],
  [1.844, "1.84"],
  [0.01844, "0.0184"],
  [0, "0"],
])("%d is written as %s", (value, text) => {
  expect(figure(value)).toBe(text);
});

test("an exact percentage has all digits of its share, and none of the arithmetic", () => {
  expect([0.05, 1 - 0.95, 0.1 + 0.2, 0.123456789, 0].map(exactPercent)).toEqual([
    "5 %",
    "5 %",
    "30 %",
    "12.3456789 %",
    "0 %",
  ]);
});

test("a count has its thousands separated", () => {
  expect([1, 2103].map((count) => countText(count, "request"))).toEqual([
    "1 request",
    "2,103 requests",
  ]);
});

test("a number has the noun that goes with it", () => {
  expect([0, 1, 2].map((count) => many(count, "webhook"))).toEqual([
    "0 webhooks",
    "1 webhook",
    "2 webhooks",
  ]);
  expect([0, 1, 2].map((count) => plural(count, "policy", "policies"))).toEqual([
    "policies",
    "policy",
    "policies",
  ]);
});
