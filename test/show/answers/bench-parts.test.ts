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

test("a case is the multiple of its control, with the others and with what chance may explain", () => {
  const cases = { decision: { ...LESS, control: "bare" } };
  const text = (values: Readonly<Record<string, readonly number[]>>): string =>
    answerBench(partsOf(cases, values))[0]!.text;
  const bare = [10, 11, 12, 13];
  expect(text({ weir: [20, 22, 24, 26], bare })).toBe(
    "One decision: weir takes 23 ns here, 2 times bare.",
  );
  expect(text({ weir: [12, 13, 14, 15], bare, other: [30, 33, 36, 39] })).toBe(
    "One decision: weir takes 13.5 ns here, 1.17 times bare, which chance may explain. For comparison, other 3 times.",
  );
  expect(text({ weir: [20, 22, 24, 26], bare, other: [30, 33, 36, 39], third: [1, 1, 1, 1] })).toBe(
    "One decision: weir takes 23 ns here, 2 times bare. The others take 0.087 (third) to 3 times (other).",
  );
  const slots = {
    weir: [20, 20, 20, 20],
    bare,
    "bare slots": [1, 1, 1, 1],
    other: [30, 30, 30, 30],
  };
  expect(text(slots)).toMatch(/ For comparison, other 2\.61 times\.$/);
  const rate = { ...cases.decision, unit: "1/s", better: "more" as const };
  expect(answerBench(partsOf({ rate }, { weir: [20], bare: [10] }))[0]!.text).toBe(
    "One decision: weir does 20 1/s here, 2 times bare.",
  );
});

test("targets are counted, few rounds are stated, and more than four cases are left to the tables", () => {
  const one = { ...LESS, control: "bare", targets: [{ cell: "weir", value: 21 }] };
  const values = { weir: Array<number>(6).fill(20), bare: Array<number>(6).fill(10) };
  const answer = answerBench(partsOf({ a: one, b: { ...one, targets: [] } }, values));
  expect(answer.at(-1)!.id).toBe("targets");
  expect(textOf(answer, "targets")).toBe("1 of 1 target of the suite is met.");
  const strict = { ...one, targets: [{ cell: "weir", value: 19 }] };
  expect(textOf(answerBench(partsOf({ a: one, b: strict }, values)), "targets")).toBe(
    "1 of 2 targets of the suite is met. Not met: weir: at most 19 ns; measured 20 ns.",
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
      const times = (name: "weir" | "other"): string =>
        `${figure(middle(cut[name]) / middle(cut.bare))} times`;
      expect(text).toContain(`weir takes ${figure(middle(cut.weir))} ns here, ${times("weir")} `);
      expect(text).toContain(`. For comparison, other ${times("other")}`);
      const isOverlapping =
        Math.min(...cut.weir) <= Math.max(...cut.bare) &&
        Math.min(...cut.bare) <= Math.max(...cut.weir);
      const ratios = cut.weir.map((value, at) => value / cut.bare[at]!);
      const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
      const isRanged = rounds === 6; // of six rounds, the likely range has all
      expect(text.includes(`bare (likely ${figure(low)} to ${figure(high)})`)).toBe(isRanged);
      const isChance = isRanged ? low <= 1 && high >= 1 : isOverlapping;
      ranged += Number(isRanged);
      chance += Number(isChance);
      expect(text.includes("which chance may explain")).toBe(isChance);
    }),
    200,
  );
  expect(Math.min(chance, ranged)).toBeGreaterThan(0);
  expect(chance).toBeLessThan(200);
});
