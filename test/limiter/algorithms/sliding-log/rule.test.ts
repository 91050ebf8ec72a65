import { describe, expect, test } from "vitest";
import {
  waitForNext,
  waitUnwritten,
  waitWritten,
} from "#src/limiter/algorithms/sliding-log/rule.ts";
import { insert, stampRows } from "#src/limiter/algorithms/sliding-log/stamps.ts";

const PER = 1000;
const log = (...stamps: readonly number[]) => {
  const rows = stampRows();
  for (const us of stamps) insert(rows, 0, us, 1);
  return rows;
};

describe("how long an attempt waits that is not written", () => {
  test.each([
    ["there is room", [], 1, 50, 0],
    ["the window is full", [10], 1, 50, 960],
    ["the one that fills it leaves now (ALG-C2)", [10], 1, 1010, 0],
    ["it leaves in a moment", [10], 1, 1009, 1],
    ["two must leave before one may come", [10, 20, 30], 2, 50, 970],
    ["equal stamps are two entries (ALG-C2)", [10, 10], 2, 50, 960],
    ["a stamp of a clock that is ahead counts", [900], 1, 50, 1850],
    ["nothing may ever pass", [], 0, 50, Number.POSITIVE_INFINITY],
  ] as const)("%s", (_, stamps, k, nowUs, expected) => {
    expect(waitUnwritten(log(...stamps), 0, k, PER, nowUs, 1)).toBe(expected);
  });
});

describe("how long an attempt waits that is refused and written (ALG-3, HDR-C1)", () => {
  test.each([
    ["there is room", [], 1, 50, 0],
    ["it fills the window itself", [10], 1, 50, 1000],
    ["of two allowed, the older one was there before it", [10, 20], 2, 50, 970],
    ["a stamp of a clock that is ahead stays in front of it", [10, 900], 2, 50, 1000],
    ["two of them do", [800, 900], 2, 50, 1750],
    ["nothing may ever pass", [], 0, 50, Number.POSITIVE_INFINITY],
  ] as const)("%s", (_, stamps, k, nowUs, expected) => {
    expect(waitWritten(log(...stamps), 0, k, PER, nowUs, 1)).toBe(expected);
  });

  test("under an allowance that would have admitted it, it is in the window all the same", () => {
    expect(waitForNext(log(10), 0, 2, PER, 50, 1, 1)).toBe(960);
    expect(waitForNext(log(10), 0, 3, PER, 50, 1, 1)).toBe(0);
  });
});
