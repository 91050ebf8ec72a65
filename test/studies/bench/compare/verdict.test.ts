import { expect, test } from "vitest";
import { evidenceOf } from "#src/studies/bench/compare/evidence.ts";
import { verdictOf, type FigureChange } from "#src/studies/bench/compare/verdict.ts";
import type { CompareVerdict } from "#src/studies/bench/compare/comparison.ts";
import { rng } from "#src/kit/chance/rng.ts";

const effort = { permutations: 4_000, resamples: 4_000, confidence: 0.95 };

/** Ten repeats around a middle, each step a hundredth of `noise` away from the next. */
const around = (middle: number, noise = 0.01, repeats = 10): readonly number[] =>
  Array.from(
    { length: repeats },
    (_, at) => middle * (1 + noise * ((2 * at) / Math.max(1, repeats - 1) - 1)),
  );

function verdict(
  base: readonly number[],
  head: readonly number[],
  { questions = 1, ...different }: Partial<FigureChange> & { readonly questions?: number } = {},
): CompareVerdict {
  const evidence = evidenceOf(base, head, effort, rng(1, "verdict"));
  const figure: FigureChange = {
    evidence,
    relative: [],
    moved: [],
    p: evidence.p,
    better: "less",
    ...different,
  };
  return verdictOf(figure, { minEffect: 0.03, alpha: 0.05, questions });
}

test.each([
  { head: around(110), better: "less", word: "regressed" },
  { head: around(90), better: "less", word: "improved" },
  { head: around(110), better: "more", word: "improved" },
  { head: around(90), better: "more", word: "regressed" },
  { head: around(100.2), better: "less", word: "same" },
  // Chance does not explain it, but it is too small to matter.
  { head: around(101.5), better: "less", word: "same" },
  // One extreme repeat does not count.
  { head: [...around(100).slice(1), 100_000], better: "less", word: "same" },
] as const)("less is better of 100: $head.0 and similar is $word", ({ head, better, word }) => {
  expect(verdict(around(100), head, { better })).toEqual({ word, why: null, needed: null });
});

test("a change counts the same in both directions of a metric", () => {
  const costs = (middle: number): readonly number[] => around(middle, 0.004);
  const speeds = (middle: number): readonly number[] => costs(middle).map((cost) => 1e6 / cost);
  for (const middle of [97.5, 96.5, 99.9, 103.5, 102.5]) {
    const { word } = verdict(costs(100), costs(middle));
    expect(verdict(speeds(100), speeds(middle), { better: "more" }).word).toBe(word);
  }
});

test.each([
  {
    what: "chance may explain the change",
    base: around(100, 0.2),
    head: around(106, 0.2),
    p: undefined,
    needed: [100, 1_000],
  },
  {
    what: "the change may be large enough to matter, or not",
    base: around(100, 0.05),
    head: around(101, 0.05),
    p: undefined,
    needed: [40, 300],
  },
  {
    what: "what is corrected for other gates is not found",
    base: around(100, 0.05),
    head: around(106, 0.05),
    p: 0.06,
    needed: [20, 100],
  },
  {
    what: "fewer than 5 repeats prove nothing",
    base: around(100, 0.0001, 4),
    head: around(150, 0.0001, 4),
    p: undefined,
    needed: [5, 5],
  },
])(
  "unclear: $what, with the number of repeats that would settle it",
  ({ base, head, p, needed }) => {
    const result = verdict(base, head, p === undefined ? {} : { p });
    expect(result.word).toBe("unclear");
    expect(result.needed).toBeGreaterThanOrEqual(needed[0]!);
    expect(result.needed).toBeLessThanOrEqual(needed[1]!);
  },
);

test("for a change of exactly the size that matters no number of repeats helps", () => {
  expect(verdict(around(100, 0.005), around(102.9, 0.005))).toEqual({
    word: "unclear",
    why: "the change is about as large as what matters, so that more repeats hardly help",
    needed: null,
  });
});

test.each([
  { by: [1.1], head: 110, word: "unclear" }, // the machine has become slower
  { by: [1.04], head: 110, word: "regressed" }, // but not by as much
  { by: [0.9], head: 110, word: "regressed" },
  { by: [1, 1.1], head: 110, word: "unclear" }, // the two controls disagree
  { by: [1.02, 1.05], head: 110, word: "regressed" },
])("relative to controls that changed by $by, $head of 100 is $word", ({ by, head, word }) => {
  const relative = by.map((times) => ({
    control: "upstream",
    evidence: evidenceOf(around(100), around(head / times), effort, rng(1, "beside")),
  }));
  expect(verdict(around(100), around(head), { relative }).word).toBe(word);
});

test("a change hidden by the scatter of a control is unclear, and needs more repeats", () => {
  const noisy = evidenceOf(around(100, 0.3), around(110, 0.3), effort, rng(1, "noisy"));
  const result = verdict(around(100), around(110), {
    relative: [{ control: "upstream", evidence: noisy }],
  });
  expect(result).toMatchObject({
    word: "unclear",
    why: "relative to upstream chance may explain the change",
  });
  expect(result.needed).toBeGreaterThanOrEqual(50);
});

test("a metric that stays the same on a machine that may have changed is unclear", () => {
  expect(verdict(around(100), around(100), { moved: ["upstream"] })).toEqual({
    word: "unclear",
    why: "the machine may have changed, as upstream did",
    needed: null,
  });
});

test.each([
  { base: [0, 0, 0, 0, 0], head: [0, 0, 0, 0, 0], word: "same" },
  { base: [3, 3], head: [3, 3], word: "same" }, // counted, not timed
  { base: [0, 0, 0, 0, 0, 0], head: [1, 2, 1, 2, 1, 2], word: "regressed" },
  { base: [1, 2, 1, 2, 1, 2], head: [0, 0, 0, 0, 0, 0], word: "improved" },
  { base: [0, 0, 0, 0, 0, 0], head: [0, 0, 1, 0, 0, 0], word: "unclear" },
])("$base against $head is $word", ({ base, head, word }) => {
  expect(verdict(base, head).word).toBe(word);
});
