import { describe, expect, test } from "vitest";
import { MILLIONTHS } from "#src/limiter/core/limit.ts";
import type { End } from "./interleave.ts";
import { race } from "./races.ts";

const RATE = 6;
const THRESHOLD = 2;
const STEP = 2;
const DELAY = 1;
/** A rises from 2 with the second attempt in a second, and falls from 4 with none. */
const limit = {
  rate: RATE,
  per: 1,
  smoothing: { enabled: true, threshold: THRESHOLD, step: STEP, trigger: 0.5, delay: DELAY },
};

interface EmittedAllowance {
  readonly seconds: number;
  readonly allowance: number;
}

/** The emitted changes of A, in the order of their times. */
const allowancesIn = ({ events }: End): readonly EmittedAllowance[] =>
  events
    .filter((text) => text.startsWith("RateLimitSmoothing"))
    .map((text) => text.split(" ").slice(1).map(Number))
    .map(([us = 0, allowance = 0]) => ({ seconds: us / 1e6, allowance }))
    .toSorted((a, b) => a.seconds - b.seconds);

const allowanceOf = ({ content }: End): number => content[0]!.allowance!.value / MILLIONTHS;

/** EVT-1, SMO-2, SMO-9: one step after the other, each emitted once, a hold-off apart, and the last one is stored. */
function expectOneStepAtATime(end: End): void {
  const emitted = allowancesIn(end);
  const values = [THRESHOLD, ...emitted.map(({ allowance }) => allowance)];
  expect(values.at(-1)).toBe(allowanceOf(end));
  for (const [index, { seconds, allowance }] of emitted.entries()) {
    expect(Math.abs(allowance - values[index]!)).toBe(STEP);
    expect(allowance).toBeGreaterThanOrEqual(THRESHOLD);
    expect(allowance).toBeLessThanOrEqual(RATE);
    const before = emitted[index - 1]?.seconds ?? 0; // A was created at 0 s
    expect(seconds - before).toBeGreaterThanOrEqual(DELAY);
  }
}

type Row = readonly [
  algorithm: string,
  calls: readonly number[],
  wanted: {
    readonly size: string;
    readonly admitted: readonly number[]; // each number that some order admits
    readonly allowances: readonly number[];
  },
];

const TOGETHER = [1.5, 1.5, 1.5];
const APART = [1.5, 1.8, 2.6];

const RACES: readonly Row[] = [
  ["sliding_log", TOGETHER, { size: "6 orders, 4 states", admitted: [3], allowances: [4] }],
  ["bounded_log", TOGETHER, { size: "6 orders, 4 states", admitted: [3], allowances: [4] }],
  ["sentinel", TOGETHER, { size: "90 orders, 10 states", admitted: [3], allowances: [4] }],
  [
    "non_transactional",
    TOGETHER,
    { size: "1832544 orders, 296 states", admitted: [2, 3], allowances: [2, 4] },
  ],
  ["sliding_log", APART, { size: "6 orders, 15 states", admitted: [2, 3], allowances: [2, 4] }],
  ["sentinel", APART, { size: "90 orders, 40 states", admitted: [2, 3], allowances: [2, 4] }],
  [
    "non_transactional",
    APART,
    { size: "1805898 orders, 3681 states", admitted: [2, 3], allowances: [2, 4] },
  ],
];

// A is one step in the store with every form, so nothing that overlaps can move it twice. What a pipeline
// has not added yet its allowance step does not count: it may miss a rise, and so refuse where the log in
// one step would have risen and admitted.
describe("A moves one step a hold-off, emitted once, in every order (SMO-2, SMO-9, SMO-C6, EVT-1)", () => {
  test.each(RACES)("%s, requests at %j", (algorithm, calls, wanted) => {
    const found = race({ limit, gateway: { algorithm }, before: [0], calls });
    for (const end of found.ends) expectOneStepAtATime(end);
    const different = (of: (end: End) => number): readonly number[] =>
      [...new Set(found.ends.map(of))].toSorted((a, b) => a - b);
    expect({
      size: `${found.orders} orders, ${found.states} states`,
      admitted: different(({ admitted }) => admitted),
      allowances: different(allowanceOf),
    }).toEqual(wanted);
  });
});

// As without smoothing, under the largest A of any of them: k - 1 + m.
describe("those under way pass in excess of A as they do of a rate (ALG-C5, ALG-C6)", () => {
  /** A is 2 from 1.2 s on, with one attempt in the window. */
  const risen = {
    limit: {
      rate: 4,
      per: 1,
      smoothing: { enabled: true, threshold: 1, step: 1, trigger: 1, delay: 1 },
    },
    before: [0, 1.2],
  };
  test.each([
    ["sliding_log", 3, 3, [1, 1]],
    ["sentinel", 3, 3, [1, 3]],
    ["sentinel", 3, 2, [1, 2]],
    ["non_transactional", 3, 3, [1, 3]],
    ["non_transactional", 3, 2, [1, 2]],
    ["non_transactional", 3, 1, [1, 1]],
  ] as const)("%s, %i at once, %i together", (algorithm, calls, together, wanted) => {
    const found = race({
      ...risen,
      gateway: { algorithm },
      calls: Array.from({ length: calls }, () => 1.5),
      together,
    });
    expect(new Set(found.ends.map(allowanceOf))).toEqual(new Set([2]));
    const admitted = found.ends.map((end) => end.admitted);
    expect([Math.min(...admitted), Math.max(...admitted)]).toEqual(wanted);
  });
});
