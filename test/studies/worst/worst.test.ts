import { describe, expect, test } from "vitest";
import { micros } from "#src/kit/units.ts";
import type { WorstCaseQuestion } from "#src/studies/worst/question.ts";
import { compareWithBound, type BoundComparison } from "#src/studies/worst/worst.ts";
import { messageOf } from "../../kit/reading/message-of.ts";
import { findHere, findWorst, milliseconds, question } from "./questions.ts";

const RATE = 5;
const OVERLAPPING = { storeUs: micros(5000), inFlight: 10 };
const CHOSEN = { level: "api", balancer: "sticky" } as const; // each gateway at will
const APART = { nodes: 2, skewUs: milliseconds(0, 20) };

type Row = readonly [
  parts: Partial<WorstCaseQuestion>,
  most: number,
  comparison: BoundComparison,
  units?: number,
];

const ALONE: readonly Row[] = [
  [{ algorithm: "sliding_log" }, RATE, "reached"],
  [{ algorithm: "bounded_log" }, RATE, "reached"],
  [{ algorithm: "non_transactional" }, RATE, "reached"],
  [{ algorithm: "sentinel" }, RATE, "reached"],
  [{ algorithm: "fixed_window" }, 2 * RATE - 1, "reached"],
  [{ algorithm: "fixed_window", fixedWindowStart: "clock" }, 2 * RATE, "reached"],
  [{ algorithm: "drl" }, 2 * RATE - 1, "reached"],
  [{ algorithm: "token_bucket" }, 2 * RATE - 1, "reached"],
  [{ algorithm: "gcra", burst: "rate" }, 2 * RATE - 1, "reached"],
  [{ algorithm: "gcra", burst: 3 }, RATE + 2, "reached"],
  [{ algorithm: "gcra" }, RATE, "reached"],
  [{ algorithm: "sliding_window_counter" }, 2 * RATE - 1, "nothing stated"],
];

/** If a count and a write are two steps, all other requests in flight together are admitted in excess. */
const TOGETHER: readonly Row[] = [
  [{ algorithm: "sliding_log", ...OVERLAPPING }, RATE, "reached"],
  [{ algorithm: "fixed_window", ...OVERLAPPING }, 2 * RATE - 1, "reached"],
  [{ algorithm: "sentinel", ...OVERLAPPING }, RATE + 9, "reached"],
  [{ algorithm: "sentinel", ...OVERLAPPING, inFlight: 1 }, RATE, "reached"],
  [{ algorithm: "non_transactional", ...OVERLAPPING }, RATE + 9, "reached"],
];

const FLEETS: readonly Row[] = [
  [{ algorithm: "drl", rate: 10, nodes: 3 }, 3 * (2 * 3 - 1), "reached"],
  [{ algorithm: "drl", rate: 2, nodes: 3 }, 3, "reached"],
  [{ algorithm: "drl", rate: 10, nodes: 3, balancer: "sticky" }, 2 * 3 - 1, "not reached"],
  [{ algorithm: "drl", rate: 10, nodes: 3, ...CHOSEN }, 3 * (2 * 3 - 1), "reached"],
  [
    { algorithm: "drl", rate: 10, nodes: 3, balancer: "weighted", weights: [8, 1, 1] },
    3 * (2 * 3 - 1),
    "reached",
    2000,
  ],
  [{ algorithm: "drl", rate: 10, ...APART, ...CHOSEN }, 2 * (2 * 5 - 1), "reached"],
  [{ algorithm: "fixed_window", nodes: 3 }, 2 * RATE - 1, "reached"],
  [{ algorithm: "sliding_log", nodes: 3 }, RATE, "reached"],
];

/** A gateway whose clock is ahead ends a window sooner: it admits the same budget again within a window of true time. */
const CLOCKS: readonly Row[] = [
  [{ algorithm: "sliding_log", ...APART }, 8, "nothing stated"],
  [{ algorithm: "sliding_log", ...APART, ...CHOSEN }, 2 * RATE, "nothing stated"],
  [{ algorithm: "sentinel", ...APART, ...CHOSEN }, 2 * RATE, "nothing stated"],
  // Late into the window by the clock that is behind, the next one at once, and the one after it early.
  [{ algorithm: "fixed_window", ...APART, ...CHOSEN }, 3 * RATE - 1, "nothing stated"],
  [
    { algorithm: "fixed_window", fixedWindowStart: "clock", ...APART, ...CHOSEN },
    3 * RATE,
    "nothing stated",
    1500,
  ],
  [{ algorithm: "token_bucket", ...APART, ...CHOSEN }, 2 * RATE, "nothing stated"],
  [{ algorithm: "sliding_window_counter", ...APART, ...CHOSEN }, 2 * RATE, "nothing stated", 1000],
];

describe.each([
  ["one gateway", ALONE],
  ["requests that overlap", TOGETHER],
  ["several gateways", FLEETS],
  ["clocks that differ", CLOCKS],
])("the most in any window, with %s (LIM-C11)", (_, rows) => {
  test.each(rows.map((row) => [row[0], row[1], row[2], row]))(
    "%j: %i, %s",
    async (_1, _2, _3, row) => {
      const [parts, most, comparison, units = 500] = row;
      const answer = await findWorst(parts, units);
      expect([answer.result.most, answer.comparison]).toEqual([most, comparison]);
    },
  );
});

describe("the worst case", () => {
  test("is small: as few bursts as it takes, at round times", async () => {
    const { pattern } = (await findWorst({ algorithm: "fixed_window" })).result;
    expect(pattern).toEqual([
      { atUs: 0, count: 1, client: 0 },
      { atUs: 900_000, count: 4, client: 0 },
      { atUs: 1_000_000, count: 5, client: 0 },
    ]);
  });

  test("is a scenario file", async () => {
    const { text } = await findWorst({ algorithm: "sentinel", ...OVERLAPPING });
    expect(text.replace(/\d+ patterns/, "some patterns")).toBe(`id: regressions/worst
title: sentinel admits 14 in 1s where the limit is 5
about: >
  Found by weir worst with seed 1.
  sentinel admits 14 in some window of 1s where the limit is 5.
  It takes 14 requests in 2 flows; some patterns were tried.
  LIM-C11 allows 14 (the rate, plus 9 for 10 requests in flight together), and that is reached.
proves: [LIM-C11]
world:
  apis: { orders: { listen: /orders } }
  keys:
    alice: { apis: [orders], rate: 5, per: 1 }
  gateway: { algorithm: sentinel }
  store: { latency: 5ms }
traffic:
  - { name: burst 1, as: alice, send: GET /orders, burst: 4, at: 0s }
  - { name: burst 2, as: alice, send: GET /orders, burst: 10, at: 900ms }
expect:
  - { id: the most in any window, maxInAnyWindow: { window: 1s }, equals: 14 }
`);
  });

  test("warns that another seed of the run may give less", async () => {
    const parts = { algorithm: "drl", nodes: 2, balancer: "random" } as const;
    expect((await findWorst(parts, 100)).text).toContain("a seed other than 1");
    const { text } = await findWorst({ ...parts, balancer: "round-robin" }, 100);
    expect(text).not.toContain("a seed other");
  });

  test("is the same with the same seed, and runs no more patterns than the effort allows", async () => {
    const parts = { algorithm: "sliding_log", ...APART } as const;
    const [one, again] = [await findWorst(parts, 300, 7), await findWorst(parts, 300, 7)];
    expect(one.text).toBe(again.text);
    expect(one.result.patterns).toBeGreaterThan(100);
    expect(one.result.patterns).toBeLessThanOrEqual(600); // the search, and as much again to make the pattern small
    expect((await findWorst(parts, 600, 7)).result.patterns).toBeGreaterThan(one.result.patterns);
  });

  test("reports progress while the search runs", async () => {
    const reports: number[] = [];
    const progress = (patterns: number): void => void reports.push(patterns);
    await findHere(question({ algorithm: "drl" }), 2_000, 1, progress);
    expect(reports.length).toBeGreaterThan(4);
    expect(reports).toEqual(reports.toSorted((a, b) => a - b));
  });

  test("is compared with the bound", () => {
    const bound = { most: 9, because: "it is stated" };
    expect([8, 9, 10].map((most) => compareWithBound(most, bound))).toEqual([
      "not reached",
      "reached",
      "passed",
    ]);
    expect(compareWithBound(9, { most: null, because: "it is not" })).toBe("nothing stated");
  });
});

test("a world in which one request may be in flight has a worst case", async () => {
  const parts = { ...CHOSEN, nodes: 3, storeUs: micros(20_000), inFlight: 1 };
  expect((await findWorst(parts, 20)).result.most).toBeGreaterThan(0);
});

test.each([
  [{ balancer: "weighted", nodes: 2 }, /weights/],
  [{ perUs: micros(1) }, /^per must be between 1 ms and 100 years/],
  [{ perUs: micros(1e15) }, /"1000000000s" .* at most a year/],
] as const)("a world that is not possible gives a sentence: %j", async (parts, message) => {
  expect(messageOf(await findHere(question(parts), 10))).toMatch(message);
});
