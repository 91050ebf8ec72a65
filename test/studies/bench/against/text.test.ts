// The result of a run of two versions, in words.
import { expect, test } from "vitest";
import type { AgainstResult, PairedGate, Version } from "#src/studies/bench/against/result.ts";
import { linesOf } from "#src/studies/bench/against/text.ts";
import { PLAIN } from "../bench-results.ts";

const VERSION: Version = { path: ".", form: "dist", commit: null, changed: false, packages: {} };

function resultOf(least: number): AgainstResult {
  const gate: PairedGate = {
    cell: "base",
    metric: "rss",
    unit: "MB",
    better: "less",
    base: 100,
    head: 101,
    decidedAt: null,
    boundaries: [],
    word: "same",
    why: null,
    evidence: { pairs: 8, ratio: 1.01, interval: { low: 0.99, high: 1.02 }, p: 0.4, least },
  };
  return {
    suite: { id: "tiny", title: "A tiny suite" },
    tookSeconds: 60,
    secondsAPair: 7,
    base: VERSION,
    head: VERSION,
    design: { pairs: 8, rounds: 3, minEffect: 0.03, alpha: 0.05, until: null },
    pairs: 8,
    gates: [gate],
    word: "same",
  } as unknown as AgainstResult; // the rest is not in these lines
}

test.each([
  [0.00412, "0.41 %"],
  [0.0347, "3.5 %"],
  [0.1249, "12 %"],
  [Number.POSITIVE_INFINITY, "nothing"],
])(
  "the least change that a run would have found, %d, is printed with two digits: %s",
  (least, text) => {
    const row = linesOf(resultOf(least), PLAIN).find((line) => / base rss /.test(line));
    expect(row?.split(/ {2,}/).at(-1)).toBe(text);
  },
);
