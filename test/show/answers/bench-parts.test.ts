// Each sentence about a suite of parts has its premise in the result, and states what the repeats state.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { answerBench } from "#src/show/answers/bench.ts";
import type { BenchCellResult, BenchResult } from "#src/studies/bench/result.ts";
import type { Answer } from "#src/lab/report/answer.ts";
import { figure } from "#src/kit/reading/legible.ts";
import { holds } from "../../runs.ts";
import { resultOf } from "../../studies/bench/bench-results.ts";

const textOf = (answer: Answer, id: string): string | undefined =>
  answer.find((each) => each.id === id)?.text;

const middle = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return Number.isInteger(half)
    ? (sorted[half - 1]! + sorted[half]!) / 2
    : sorted[Math.floor(half)]!;
};

const LESS = { unit: "ns", better: "less", about: "one decision" } as const;

/** Each case has a metric of its name, whose control is "bare". */
function partsOf(
  cases: Readonly<Record<string, BenchResult["metrics"][string]>>,
  values: Readonly<Record<string, readonly number[]>>,
): BenchResult {
  const cells = Object.entries(values).map(([name, all]): BenchCellResult => ({
    name,
    role: name.startsWith("weir") ? "cell" : "control",
    factors: null,
    control: null,
    repeats: all.map((value, at) => ({
      round: at,
      atSeconds: at,
      answers: 0,
      errors: 0,
      metrics: Object.fromEntries(Object.keys(cases).map((metric) => [metric, value])),
    })),
  }));
  return { ...resultOf(cells, []), capacity: null, metrics: cases };
}

test("a case begins with other limiters, and has the multiple of its control and what chance may explain", () => {
  const cases = { decision: { ...LESS, control: "bare" } };
  const text = (values: Readonly<Record<string, readonly number[]>>): string =>
    answerBench(partsOf(cases, values))[0]!.text;
  const bare = [10, 11, 12, 13];
  expect(text({ weir: [20, 22, 24, 26], bare })).toBe(
    "One decision: weir takes 23 ns here, 2 times bare.",
  );
  expect(text({ weir: [12, 13, 14, 15], bare, other: [30, 33, 36, 39] })).toBe(
    "One decision: weir takes 13.5 ns here, less than other (34.5 ns); it takes 1.17 times bare, which chance may explain.",
  );
  expect(text({ weir: [20, 22, 24, 26], bare, other: [23, 26, 29, 32], third: [1, 1, 1, 1] })).toBe(
    "One decision: weir takes 23 ns here, more than third (1 ns), and about as much as other (27.5 ns); it takes 2 times bare.",
  );
  // One round separates nothing.
  expect(text({ weir: [390], bare: [190], other: [419] })).toBe(
    "One decision: weir takes 390 ns here, next to other (419 ns), which one round does not rank; it takes 2.05 times bare, which chance may explain.",
  );
  // What costs nothing because it has no limit is no rival, and neither is another candidate of Weir.
  const slots = {
    weir: [20, 20, 20, 20],
    "weir/core": [9, 9, 9, 9],
    bare,
    "bare slots": [1, 1, 1, 1],
    other: [30, 30, 30, 30],
  };
  expect(text(slots)).toMatch(/ here, less than other \(30 ns\); it takes 1\.74 times bare\.$/);
  const rate = { ...cases.decision, unit: "1/s", better: "more" as const };
  const rates = (name: string): string =>
    answerBench(partsOf({ rate }, { [name]: [20, 20], bare: [10, 10], other: [5, 5] }))[0]!.text;
  expect(rates("weir")).toBe(
    "One decision: weir reaches 20 a second here, more than other (5 a second); it reaches 2 times bare.",
  );
  expect(rates("10 keys")).toContain(": 10 keys reach 20 a second here");
  expect(rates("1 key")).toContain(": 1 key reaches 20 a second here");
});

test("targets are counted, few rounds are stated, and more than four cases are left to the tables", () => {
  const one = { ...LESS, control: "bare", targets: [{ cell: "weir", value: 21 }] };
  const values = { weir: Array<number>(6).fill(20), bare: Array<number>(6).fill(10) };
  const answer = answerBench(partsOf({ a: one, b: { ...one, targets: [] } }, values));
  expect(answer.map(({ id }) => id)).toEqual(["case-a", "targets", "case-b", "process"]);
  expect(textOf(answer, "targets")).toBe("1 of 1 target of the suite is met.");
  const strict = { ...one, targets: [{ cell: "weir", value: 19 }] };
  expect(textOf(answerBench(partsOf({ a: one, b: strict }, values)), "targets")).toBe(
    "1 of 2 targets of the suite is met. Not met for one decision: weir: at most 19 ns; measured 20 ns.",
  );
  expect(textOf(answer, "rounds")).toBeUndefined();
  expect(textOf(answer, "more-cases")).toBeUndefined();
  const many = Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, one]));
  expect(textOf(answerBench(partsOf(many, values)), "more-cases")).toContain("1 more case");
  expect(textOf(answerBench(partsOf({ a: one }, { weir: [20], bare: [10] })), "rounds")).toContain(
    "instead of 1",
  );
});

test("no sentence about random parts contradicts their repeats", () => {
  const values = fc.array(fc.integer({ min: 10, max: 30 }), { minLength: 6, maxLength: 6 });
  const lengths = fc.integer({ min: 1, max: 6 });
  let [chance, ranged] = [0, 0];
  holds(
    fc.property(values, values, values, lengths, (weir, bare, other, rounds) => {
      const all = { weir, bare, other };
      const cut = Object.fromEntries(
        Object.entries(all).map(([name, each]) => [name, each.slice(0, rounds)]),
      ) as typeof all;
      const [{ text }] = answerBench(partsOf({ decision: { ...LESS, control: "bare" } }, cut)) as [
        Answer[number],
      ];
      const times = `${figure(middle(cut.weir) / middle(cut.bare))} times`;
      const alike =
        Math.min(...cut.weir) <= Math.max(...cut.other) &&
        Math.min(...cut.other) <= Math.max(...cut.weir);
      const isSingle = rounds === 1;
      const relation = isSingle
        ? "next to"
        : alike
          ? "about as much as"
          : `${middle(cut.weir) < middle(cut.other) ? "less" : "more"} than`;
      expect(text).toContain(
        `weir takes ${figure(middle(cut.weir))} ns here, ${relation} other (${figure(middle(cut.other))} ns)${isSingle ? ", which one round does not rank" : ""}; it takes ${times} `,
      );
      const isOverlapping =
        Math.min(...cut.weir) <= Math.max(...cut.bare) &&
        Math.min(...cut.bare) <= Math.max(...cut.weir);
      const ratios = cut.weir.map((value, at) => value / cut.bare[at]!);
      const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
      const isRanged = rounds === 6; // of six rounds, the likely range has all
      expect(text.includes(`bare (likely ${figure(low)} to ${figure(high)})`)).toBe(isRanged);
      const isChance = isSingle || (isRanged ? low <= 1 && high >= 1 : isOverlapping);
      ranged += Number(isRanged);
      chance += Number(isChance);
      expect(text.includes("which chance may explain")).toBe(isChance);
    }),
    200,
  );
  expect(Math.min(chance, ranged)).toBeGreaterThan(0);
  expect(chance).toBeLessThan(200);
});
