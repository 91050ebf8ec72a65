import { describe, expect, test } from "vitest";
import {
  decidePairs,
  leastPairs,
  pairsFor,
  studentQuantile,
  type GatePairs,
} from "#src/studies/bench/against/pair-verdicts.ts";
import { decideByLooks, looksFor } from "#src/studies/bench/against/until.ts";
import { rng } from "#src/kit/chance/rng.ts";

const question = { minEffect: 0.03, alpha: 0.05 };
const random = () => rng(1, "judge");

/** Head is that many times base, up to noise. */
function gateOf(
  times: number,
  count = 20,
  noise = 0.01,
  better: "less" | "more" = "less",
): GatePairs {
  const { normal } = rng(2, `${times}/${count}`);
  const one = () => Math.log(times) + noise * normal();
  return { better, pairs: Array.from({ length: count }, () => [one(), one()]) };
}

const wordsOf = (gates: readonly GatePairs[]) =>
  decidePairs(gates, question, random()).map(({ word }) => word);

describe("a fixed number of pairs", () => {
  test("each gate has its verdict, by the better direction", () => {
    expect(wordsOf([gateOf(1.1), gateOf(0.9), gateOf(1), gateOf(0.9, 20, 0.01, "more")])).toEqual([
      "regressed",
      "improved",
      "same",
      "regressed",
    ]);
  });

  test("a change is unclear if chance may explain it, or if it is about as large as matters", () => {
    const [noisy, edge] = decidePairs(
      [gateOf(1.05, 20, 0.3), gateOf(1.029, 20, 0.005)],
      question,
      random(),
    );
    expect(noisy).toMatchObject({ word: "unclear", why: "chance may explain the change" });
    expect(edge).toMatchObject({
      word: "unclear",
      why: "it has changed, perhaps by too little to matter",
    });
  });

  test("the evidence has the change, its likely interval, and the smallest change that would have been found", () => {
    const [{ evidence }] = decidePairs([gateOf(1.1)], question, random()) as [
      ReturnType<typeof decidePairs>[number],
    ];
    const { ratio, interval, p, least, pairs } = evidence!;
    expect(pairs).toBe(20);
    expect(ratio).toBeCloseTo(1.1, 2);
    expect(interval.low).toBeGreaterThan(1.09);
    expect(interval.low).toBeLessThan(ratio);
    expect(interval.high).toBeGreaterThan(ratio);
    expect(interval.high).toBeLessThan(1.11);
    expect(p).toBeLessThan(0.001);
    expect(least).toBeGreaterThan(0.005);
    expect(least).toBeLessThan(0.02);
  });

  test("gates are corrected for their number", () => {
    // p of 2 in 256 is enough for four gates at 5 %, and not for eight.
    const eight = gateOf(1.1, 8);
    expect(new Set(wordsOf([eight, eight, eight, eight]))).toEqual(new Set(["regressed"]));
    const all = decidePairs(
      Array.from({ length: 8 }, () => eight),
      question,
      random(),
    );
    expect(new Set(all.map(({ why }) => why))).toEqual(new Set(["too few pairs to show anything"]));
  });

  test("too few pairs are unclear, and leastPairs returns the number that is needed", () => {
    expect([1, 2, 4].map((gates) => leastPairs(gates, 0.05))).toEqual([6, 7, 8]);
    expect(wordsOf([gateOf(2, 5)])).toEqual(["unclear"]);
    expect(wordsOf([gateOf(2, 6)])).toEqual(["regressed"]);
    expect(wordsOf([{ better: "less", pairs: [] }])).toEqual(["unclear"]);
  });

  test("half of the change takes about four times the pairs", () => {
    const evidence = { pairs: 20, least: 0.08, ratio: 1, p: 1, interval: { low: 1, high: 1 } };
    expect(pairsFor(evidence, 0.08)).toBe(20);
    expect(pairsFor(evidence, 0.04)).toBe(78);
  });

  test.each([
    [0.975, 7, 2.365],
    [0.975, 19, 2.093],
    [0.9875, 7, 2.841],
    [0.95, 19, 1.729],
  ])(
    "the %d quantile of Student's t with %i degrees of freedom is %d",
    (share, freedom, expected) => {
      expect(Math.abs(studentQuantile(share, freedom) / expected - 1)).toBeLessThan(0.005);
    },
  );
});

describe("until it is decided", () => {
  const looks = { every: 8, most: 64 };
  const decide = (gates: readonly GatePairs[], count = 64) =>
    decideByLooks(
      gates.map(({ pairs, better }) => ({ better, pairs: pairs.slice(0, count) })),
      { ...question, wanted: 0.05, looks },
      random(),
    );

  test("a large change and none are decided early, each gate by itself", () => {
    const [slower, faster, same] = decide([gateOf(1.2, 64), gateOf(0.8, 64), gateOf(1, 64)]);
    expect([slower, faster, same].map((one) => one!.word)).toEqual([
      "regressed",
      "improved",
      "same",
    ]);
    // After eight pairs no way to flip them is rare enough for what may be spent by then.
    for (const { decidedAt } of [slower!, faster!, same!]) {
      expect(decidedAt).toBeGreaterThan(8);
      expect(decidedAt).toBeLessThanOrEqual(24);
    }
  });

  test("a decision stays, whatever is measured after it", () => {
    const gate = gateOf(1.2, 64);
    const at = decide([gate])[0]!.decidedAt!;
    const turned = gate.pairs.map((pair, place) => (place < at ? pair : pair.map((one) => -one)));
    expect(decide([{ ...gate, pairs: turned }])[0]).toMatchObject({
      word: "regressed",
      decidedAt: at,
    });
  });

  test("nothing is decided between looks, and an undecided gate is unclear", () => {
    expect(decide([gateOf(1.2, 64)], 7)[0]).toMatchObject({ word: "unclear", decidedAt: null });
    const noisy = decide([gateOf(1.05, 64, 0.5)])[0]!;
    expect(noisy).toMatchObject({ word: "unclear", decidedAt: null });
    expect(noisy.boundaries.map(({ pairs }) => pairs)).toEqual([8, 16, 24, 32, 40, 48, 56, 64]);
  });

  test("the wanted change decides how often it looks", () => {
    expect(looksFor(0.05)).toEqual({ every: 8, most: 64 });
    expect(looksFor(0.1)).toEqual({ every: 4, most: 32 });
  });
});
