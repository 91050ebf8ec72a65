import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import type { Plan, Variant } from "#src/lab/scenario/types.ts";
import { decodeScenario, RAMP, small } from "./examples.ts";
import { holds } from "../../runs.ts";

/** The small file with other traffic. */
const variantOf = (...flows: readonly string[]): Variant => {
  const text = small(
    "  - { as: alice, send: GET /orders, burst: 8 }\n",
    flows.map((flow) => `  - { send: GET /orders, ${flow} }\n`).join(""),
  );
  const [variant] = decodeScenario(
    text.replace("sequence: { as: alice }, equals: 5*200 3*429", "count: {}, atLeast: 1"),
  ).variants;
  if (variant === undefined) throw new Error("no variant");
  return variant;
};

const planOf = (...flows: readonly string[]): Plan => plan(variantOf(...flows), "limits/small", 7);
const seconds = (...flows: readonly string[]): readonly number[] =>
  [...planOf(...flows).atUs].map((us) => us / 1e6);

describe("a shape", () => {
  test.each<[flow: string, seconds: readonly number[]]>([
    ["burst: 3, at: 1.1s", [1.1, 1.1, 1.1]],
    ["every: 250ms, count: 4", [0, 0.25, 0.5, 0.75]],
    ["rate: 4, for: 1s, at: 2s", [2, 2.25, 2.5, 2.75]],
    ["rate: 3, for: 1s", [0, 0.333333, 0.666667]],
    ["rate: 0.5, for: 5s", [0, 2, 4]],
    ["rate: 0, for: 5s, name: none", []],
    ["onoff: { on: 1s, off: 2s, rate: 2 }, for: 5s", [0, 0.5, 3, 3.5]],
    ["onoff: { on: 1s, off: 1s, rate: 1.5 }, for: 4s", [0, 0.666667, 2.333333]],
    ["trace: { times: [1s, 0s, 10ms] }", [0, 0.01, 1]],
    [
      "stages: [{ name: a, rate: 2, for: 1s }, { name: b, rate: 4, for: 1s }]",
      [0, 0.5, 1, 1.25, 1.5, 1.75],
    ],
    ["stages: [{ name: up, rate: 0, rateTo: 3, for: 2s }]", [0, 1.154701, 1.632993]],
    [
      "stages: [{ name: up, rate: 0, rateTo: 3, for: 2s }, { name: on, for: 1s }]",
      [0, 1.154701, 1.632993, 2, 2.333333, 2.666667],
    ],
    [
      "stages: [{ name: up, rate: 1, rateTo: 3, for: 1s }, { name: on, rateTo: 1, for: 1s }]",
      [0, 0.618034, 1, 1.381966],
    ],
    ["stages: [{ name: down, rate: 4, rateTo: 0, for: 2s }]", [0, 0.267949, 0.585786, 1]],
  ])("%s comes at %j", (flow, times) => {
    expect(seconds(flow)).toEqual(times);
  });

  test("that is a herd has another delay for its client each time", () => {
    const times = seconds("as: alice, clients: 1, cron: { every: 1m, jitter: 5s }, for: 10m");
    const late = times.map((at) => Number((at % 60).toFixed(6)));
    expect(new Set(late).size).toBe(10);
    expect(Math.max(...late)).toBeLessThan(5);
  });

  test("that is a trace may be the lines of a log", () => {
    const lines = (text: string): readonly number[] =>
      seconds(`trace: { times: ${JSON.stringify(text)} }`);
    expect(lines("time,path\n0.5,/a\n0.25,/b\n")).toEqual([0.25, 0.5]);
    expect(lines("10ms\n2s")).toEqual([0.01, 2]);
    expect(lines('{"at": 1.5, "path": "/a"}\n{"at": "250ms"}\n')).toEqual([0.25, 1.5]);
  });
});

describe("a rate", () => {
  test.each<[flow: string, requests: number]>([
    ["rate: 10, for: 10s", 100],
    ["rate: 1.1, for: 10s", 11],
    ["rate: 0.1, for: 30s", 3],
    ["rate: 333333, for: 3s", 999_999],
    ["stages: [{ name: a, rate: 0.3, for: 10s }, { name: b, rate: 0.7, for: 10s }]", 10],
  ])("%s is %i requests", (flow, requests) => {
    expect(planOf(flow).atUs.length).toBe(requests);
  });

  test("gives as many requests as the areas under its ramps, for any ramps", () => {
    const stage = fc.record({
      from: fc.integer({ min: 0, max: 2000 }),
      to: fc.integer({ min: 0, max: 2000 }),
      ms: fc.integer({ min: 1, max: 3000 }),
    });
    holds(
      fc.property(fc.array(stage, { minLength: 1, maxLength: 4 }), (stages) => {
        const written = stages.map(
          ({ from, to, ms }, index) =>
            `{ name: s${index}, rate: ${from / 10}, rateTo: ${to / 10}, for: ${ms}ms }`,
        );
        const {
          atUs,
          stage: columns,
          untilUs,
        } = planOf(`stages: [${written.join(", ")}]`, "burst: 1, name: other");
        const area = stages.reduce((sum, { from, to, ms }) => sum + BigInt((from + to) * ms), 0n);
        expect(atUs.length - 1).toBe(Number((area + 19_999n) / 20_000n));
        expect([...atUs]).toEqual([...atUs].toSorted((a, b) => a - b));
        expect(untilUs).toBe(stages.reduce((sum, { ms }) => sum + ms * 1000, 0));
        const ends = stages.map((_, index) =>
          stages.slice(0, index + 1).reduce((sum, { ms }) => sum + ms * 1000, 0),
        );
        for (const [row, index] of columns.entries()) {
          if (index < 0) continue;
          expect(atUs[row]).toBeLessThan(ends[index] ?? 0);
          expect(atUs[row]).toBeGreaterThanOrEqual(ends[index - 1] ?? 0);
        }
      }),
      100,
    );
  });
});

test("the ramp of the smoothing example has the requests that it was worked out with", () => {
  const plans = decodeScenario(RAMP).variants.map((variant) =>
    plan(variant, "smoothing/up-and-down-again", 1),
  );
  expect(plans.map(({ variant, atUs, untilUs }) => [variant, atUs.length, untilUs])).toEqual([
    ["climb=30s", 2400, 100_000_000],
    ["climb=10s", 1720, 80_000_000],
  ]);
  const [slow] = plans;
  // The allowance's first step of that example falls on this request.
  expect([...(slow?.atUs ?? [])]).toContain(13_640_020);
});

describe("a random shape", () => {
  test("has about the requests of its rate, and gaps of all lengths", () => {
    const { atUs } = planOf("poisson: 1000, for: 100s");
    expect(Math.abs(atUs.length - 100_000)).toBeLessThan(1_500); // five deviations
    const gaps = [...atUs.subarray(1)].map((us, index) => us - (atUs[index] ?? 0));
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
    expect(Math.sqrt(variance) / mean).toBeCloseTo(1, 1);
  });

  test("follows a ramp", () => {
    const { atUs, stage } = planOf(
      "stages: [{ name: up, rate: 0, rateTo: 2000, for: 10s }, { name: flat, rate: 100, for: 1s }], arrivals: poisson",
    );
    const early = atUs.findIndex((us) => us >= 5_000_000);
    expect(early / atUs.length).toBeCloseTo(0.25, 1);
    expect([...new Set(stage)]).toEqual([0, 1]);
  });

  test("is the same for the same seed and another for another", () => {
    const variant = variantOf("poisson: 50, for: 10s");
    const of = (seed: number): readonly number[] => [...plan(variant, "x", seed).atUs];
    expect(of(1)).toEqual(of(1));
    expect(of(1)).not.toEqual(of(2));
  });

  test("does not change if another flow is added", () => {
    const alone = planOf("name: a, poisson: 50, for: 10s").atUs;
    const both = planOf("name: b, poisson: 80, for: 10s", "name: a, poisson: 50, for: 10s");
    expect([...both.atUs].filter((_, row) => both.flow[row] === 1)).toEqual([...alone]);
  });
});

describe("several flows", () => {
  test("are one list by time, and at one instant the first flow of the file is first", () => {
    const { atUs, flow } = planOf(
      "name: a, every: 2s, count: 2",
      "name: b, every: 1s, count: 4",
      "name: c, burst: 1, at: 2s",
    );
    expect([...atUs].map((us) => us / 1e6)).toEqual([0, 0, 1, 2, 2, 2, 3]);
    expect([...flow]).toEqual([0, 1, 1, 0, 1, 2, 1]);
  });

  test("are all there, each in its own order", () => {
    const some = fc.array(
      fc.record({
        every: fc.integer({ min: 1, max: 50 }),
        count: fc.integer({ min: 1, max: 30 }),
        at: fc.nat(100),
      }),
      { minLength: 1, maxLength: 9 },
    );
    holds(
      fc.property(some, (flows) => {
        const { atUs, flow } = planOf(
          ...flows.map(
            ({ every, count, at }, index) =>
              `name: f${index}, every: ${every}ms, count: ${count}, at: ${at}ms`,
          ),
        );
        expect([...atUs]).toEqual([...atUs].toSorted((a, b) => a - b));
        flows.forEach(({ every, count, at }, index) => {
          expect([...atUs].filter((_, row) => flow[row] === index)).toEqual(
            Array.from({ length: count }, (_, i) => (at + i * every) * 1000),
          );
        });
        const early = [...flow].filter(
          (each, row) => row > 0 && atUs[row] === atUs[row - 1] && each < (flow[row - 1] ?? 0),
        );
        expect(early).toEqual([]);
      }),
      60,
    );
  });
});

describe("several clients", () => {
  test("send in turn without skew", () => {
    expect([...planOf("burst: 5, clients: 3").client]).toEqual([0, 1, 2, 0, 1]);
  });

  test("send by Zipf's law with it", () => {
    const { client } = planOf("burst: 100000, clients: 100, skew: 1");
    const counts = new Map<number, number>();
    for (const each of client) counts.set(each, (counts.get(each) ?? 0) + 1);
    const harmonic = Array.from({ length: 100 }, (_, i) => 1 / (i + 1)).reduce(
      (sum, part) => sum + part,
      0,
    );
    for (const i of [0, 1, 9, 99])
      expect(Math.abs((counts.get(i) ?? 0) / 100_000 - 1 / (i + 1) / harmonic)).toBeLessThan(0.005);
  });
});
