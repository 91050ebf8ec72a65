import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fullestWindow } from "#src/lab/check/max-in-any-window.ts";
import type { Comparison } from "#src/lab/scenario/types.ts";
import { BOUNDED, historyOf, rowsOf } from "../../histories/history.ts";
import { EVERYTHING } from "../../histories/world.ts";
import { secondsToMicros } from "#src/kit/units.ts";
import { verdictOn } from "./verdict-on.ts";
import { holds } from "../../runs.ts";

const most = (comparison: Comparison) =>
  ({
    kind: "maxInAnyWindow",
    filter: EVERYTHING,
    windowUs: secondsToMicros(1),
    comparison,
  }) as const;
const atMost = (value: number) => most({ op: "atMost", value });

test("the window is open at its beginning", () => {
  const rows = rowsOf("3*200", 0, 0.5);
  expect(verdictOn(atMost(2), { rows })).toMatchObject({
    outcome: "pass",
    observed: "2 in the 1s up to 500ms",
    evidence: [0, 1],
  });
});

test("of many more than allowed, the evidence ends with the first of them", () => {
  const rows = rowsOf("20*200", 0, 0.01);
  expect(verdictOn(atMost(10), { rows })).toMatchObject({
    outcome: "fail",
    evidence: [6, 7, 8, 9, 10],
    evidenceTotal: 20,
  });
  expect(verdictOn(atMost(3), { rows }).evidence).toEqual([0, 1, 2, 3]);
  const costly = rows.map((row) => ({ ...row, cost: 2 }));
  expect(verdictOn(atMost(3), { rows: costly }).evidence).toEqual([0, 1]);
});

test("one more than allowed fails, and the evidence is the fullest window", () => {
  const rows = [...rowsOf("200", 0, 1), ...rowsOf("3*200", 5, 0.2)];
  expect(verdictOn(atMost(2), { rows })).toMatchObject({ outcome: "fail", evidence: [1, 2, 3] });
});

test("a request at the open end of the fullest window is no evidence", () => {
  const rows = rowsOf("4*200", 0, 0.5).map((row, index) => (index === 3 ? { ...row, at: 1 } : row));
  expect(verdictOn(atMost(2), { rows })).toMatchObject({ outcome: "fail", evidence: [1, 2, 3] });
});

test("refused requests do not count", () => {
  expect(verdictOn(atMost(2), { rows: rowsOf("2*200 9*429", 0, 0.01) }).outcome).toBe("pass");
});

test("a bound is vacuous if nothing was admitted, but an exact zero is a fact about refusals", () => {
  const refused = rowsOf("5*429", 0, 0.1);
  expect(verdictOn(atMost(2), { rows: refused }).outcome).toBe("vacuous");
  expect(verdictOn(most({ op: "equals", value: 0 }), { rows: refused }).outcome).toBe("pass");
  expect(verdictOn(most({ op: "equals", value: 0 }), { rows: [] }).outcome).toBe("vacuous");
});

test("spans that may or may not share a window leave the bound open", () => {
  const rows = [
    { at: 0, span: [0, 0.05] },
    { at: 1, span: [1, 1.05] },
  ] as const;
  expect(verdictOn(atMost(1), { rows, timing: BOUNDED })).toMatchObject({
    outcome: "inconclusive",
  });
  expect(verdictOn(atMost(2), { rows, timing: BOUNDED }).outcome).toBe("pass");
});

test("the interval holds the true maximum for every choice of instants, and both ends are the maximum for exact times", () => {
  const spans = fc.array(fc.tuple(fc.nat(40), fc.nat(12), fc.nat(100)), {
    minLength: 1,
    maxLength: 12,
  });
  holds(
    fc.property(spans, fc.integer({ min: 1, max: 20 }), (drawn, windowMs) => {
      const spanned = drawn.map(([from, lasts]) => ({
        at: from / 1000,
        span: [from / 1000, (from + lasts) / 1000] as const,
      }));
      const instants = drawn.map(([from, lasts, part]) => from + Math.floor((lasts * part) / 100));
      const naive = Math.max(
        ...instants.map((end) => instants.filter((at) => at > end - windowMs && at <= end).length),
      );
      const rows = drawn.map((_, row) => row);
      const { most: open } = fullestWindow(
        historyOf({ rows: spanned }).requests,
        rows,
        windowMs * 1000,
      );
      expect(open.from).toBeLessThanOrEqual(naive);
      expect(open.to).toBeGreaterThanOrEqual(naive);
      const exact = historyOf({ rows: instants.map((at) => ({ at: at / 1000 })) });
      expect(fullestWindow(exact.requests, rows, windowMs * 1000).most).toEqual({
        from: naive,
        to: naive,
      });
    }),
    300,
  );
});

test.each([
  [
    "as long as the window",
    [
      [0, 1],
      [0, 1],
    ],
    "[0, 2]",
  ],
  [
    "a little shorter",
    [
      [0, 0.999],
      [0, 0.999],
    ],
    "2",
  ],
  [
    "the one that could have left before the other came",
    [
      [0, 0.1],
      [1, 1.05],
    ],
    "[1, 2]",
  ],
  [
    "one of them longer than the window",
    [
      [0, 5],
      [2, 2.1],
    ],
    "[1, 2]",
  ],
  [
    "the one that surely had",
    [
      [0, 0.1],
      [1.1, 1.2],
    ],
    "1",
  ],
] as const)("of two spans, %s: %j are %s together", (_, spans, together) => {
  const rows = spans.map((span) => ({ at: span[0], span }));
  const found = verdictOn(atMost(2), { rows, timing: BOUNDED });
  expect(found.observed.slice(0, found.observed.indexOf(" in the"))).toBe(together);
});
