import { expect, test } from "vitest";
import { oneLine } from "../../src/reading/legible.ts";

test.each([
  ["six\n::error::no", String.raw`six\n::error::no`],
  ["a\r\tb", String.raw`a\r\tb`],
  ["\u001B[2K\u009B\u0000", String.raw`\u001b[2K\u009b\u0000`],
  ["##[error]no", String.raw`#\u0023[error]no`],
  ["###[ ## [#] é 😀", String.raw`##\u0023[ ## [#] é 😀`],
])("%j stays one line without commands", (text, expected) => {
  expect(oneLine(text)).toBe(expected);
});
