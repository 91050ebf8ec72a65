// Two results become one comparison: at most four gates that can fail it, and everything else to look at.
import { rng } from "../../core/rng.ts";
import type { BenchResult, CellResult } from "../result.ts";
import { summarise } from "../statistics.ts";
import { FACTORS, METRIC_NAMES, METRICS, type Gate, type MetricName } from "../suite.ts";
import { evidenceOf, type Effort, type Evidence } from "./evidence.ts";
import { holm } from "./holm.ts";
import { verdictOf, type Verdict, type Word } from "./verdict.ts";

export const COMPARE_FORMAT = "weir-compare/1";

export interface Question {
  /** The least change that matters, such as 0.03. */
  readonly minEffect: number;
  /** How often a comparison of equal runs may find something. */
  readonly alpha: number;
  readonly seed: number;
}

/** How much chance is asked for a figure. */
export type Trouble = Pick<Effort, "permutations" | "resamples">;

/** What is only shown gets less of it: there can be hundreds of figures, and no exit code depends on them. */
const TROUBLE: { readonly gate: Trouble; readonly shown: Trouble } = {
  gate: { permutations: 10_000, resamples: 10_000 },
  shown: { permutations: 1_000, resamples: 1_000 },
};

export interface Judged extends Gate {
  readonly unit: string;
  readonly better: "less" | "more";
  readonly evidence: Evidence | null; // null: not measured in both runs
  /** Corrected for the number of gates; a figure that is only shown keeps its own. */
  readonly p: number | null;
  readonly verdict: Verdict;
}

export interface Run {
  readonly startedAt: string;
  readonly commit: string | null;
  readonly changed: boolean;
  readonly node: string;
}

export interface Comparison {
  readonly format: typeof COMPARE_FORMAT;
  readonly suite: BenchResult["suite"];
  readonly base: Run;
  readonly head: Run;
  readonly minEffect: number;
  readonly alpha: number;
  readonly seed: number;
  /** The worst word of the gates, of which unclear is worse than same; no gates leave it unclear. */
  readonly word: Word;
  readonly gates: readonly Judged[];
  readonly shown: readonly Judged[];
  readonly warnings: readonly string[];
  /** By how much the controls changed beyond chance, as a ratio; only metrics of which they did. */
  readonly controls: Readonly<Partial<Record<MetricName, number>>>;
}

export function compare(
  base: BenchResult,
  head: BenchResult,
  question: Question,
  warnings: readonly string[],
  trouble = TROUBLE,
): Comparison {
  const { minEffect, alpha, seed } = question;
  const isGate = ({ cell, metric }: Gate): boolean =>
    base.gates.some((gate) => gate.cell === cell && gate.metric === metric);
  const pairs = pairsOf(base, head);
  const figures: readonly Found[] = pairs.flatMap((pair) =>
    METRIC_NAMES.flatMap((metric) => {
      const [ours, theirs] = [valuesOf(pair.base, metric), valuesOf(pair.head, metric)];
      if (ours.length === 0 || theirs.length === 0) return [];
      const gate: Gate = { cell: pair.base.name, metric };
      const effort = trouble[isGate(gate) ? "gate" : "shown"];
      const random = rng(seed, `compare/${gate.cell}/${metric}`);
      return [
        {
          ...gate,
          pair,
          evidence: evidenceOf(ours, theirs, { ...effort, confidence: 1 - alpha }, random),
        },
      ];
    }),
  );
  const shifts = shiftsOf(figures, question);
  const judge = (found: Found, p: number, questions: number): Judged => {
    const { cell, metric, pair, evidence } = found;
    const { unit, better } = METRICS[metric];
    const shift = isOutside(pair.base) ? 0 : (shifts.get(metric) ?? 0);
    const verdict = verdictOf({ evidence, p, better, shift }, { minEffect, alpha, questions });
    return { cell, metric, unit, better, evidence, p, verdict };
  };
  const gating = base.gates.flatMap((gate) =>
    figures.filter(({ cell, metric }) => cell === gate.cell && metric === gate.metric),
  );
  const corrected = holm(gating.map(({ evidence }) => evidence.p));
  const judged = gating.map((found, at) => judge(found, corrected[at]!, gating.length));
  const gates = base.gates.map(
    (gate) =>
      judged.find(({ cell, metric }) => cell === gate.cell && metric === gate.metric) ??
      missing(gate),
  );
  return {
    format: COMPARE_FORMAT,
    suite: base.suite,
    base: runOf(base),
    head: runOf(head),
    minEffect,
    alpha,
    seed,
    word: worst(gates),
    gates,
    shown: figures
      .filter((found) => !isGate(found))
      .map((found) => judge(found, found.evidence.p, 1)),
    warnings,
    controls: Object.fromEntries([...shifts].map(([metric, shift]) => [metric, Math.exp(shift)])),
  };
}

interface Pair {
  readonly base: CellResult;
  readonly head: CellResult;
}

interface Found extends Gate {
  readonly pair: Pair;
  readonly evidence: Evidence;
}

/** Cells of one name that were the same load; with --force the suites may differ. */
const pairsOf = (base: BenchResult, head: BenchResult): readonly Pair[] =>
  base.cells.flatMap((cell) => {
    const other = head.cells.find(({ name }) => name === cell.name);
    return other !== undefined && loadOf(cell) === loadOf(other)
      ? [{ base: cell, head: other }]
      : [];
  });

const loadOf = ({ control, factors }: CellResult): string =>
  JSON.stringify([control, factors && FACTORS.map((factor) => factors[factor])]);

/** All repeats, in no order: those of one round were measured side by side, but never with those of another run. */
const valuesOf = ({ repeats }: CellResult, metric: MetricName): readonly number[] =>
  repeats.flatMap(({ metrics }) => metrics[metric] ?? []);

/** A control without a line of Weir in it. */
const isOutside = ({ control }: CellResult): boolean => control !== null && control !== "unlimited";

/**
 * By how much the machine has changed, as a logarithm: the middle of what the controls did that chance does not explain. One
 * control alone may have a reason of its own, or bad luck.
 */
function shiftsOf(
  figures: readonly Found[],
  { minEffect, alpha }: Question,
): ReadonlyMap<MetricName, number> {
  const shifts = new Map<MetricName, number>();
  for (const metric of METRIC_NAMES) {
    const changes = figures
      .filter((found) => found.metric === metric && isOutside(found.pair.base))
      .map(({ evidence: { ratio, p } }) => {
        const change = Math.log(ratio ?? 1);
        return p < alpha && Math.abs(change) >= Math.log1p(minEffect) ? change : 0;
      });
    const shift = changes.length === 0 ? 0 : summarise(changes).median;
    if (shift !== 0 && Number.isFinite(shift)) shifts.set(metric, shift);
  }
  return shifts;
}

const missing = (gate: Gate): Judged => ({
  ...gate,
  unit: METRICS[gate.metric].unit,
  better: METRICS[gate.metric].better,
  evidence: null,
  p: null,
  verdict: { word: "unclear", why: "it was not measured in both runs", needed: null },
});

const FROM_WORST: readonly Word[] = ["regressed", "unclear", "improved", "same"];

/** Without gates nothing was asked, and nothing is known. */
const worst = (gates: readonly Judged[]): Word =>
  gates.length === 0
    ? "unclear"
    : FROM_WORST.find((word) => gates.some(({ verdict }) => verdict.word === word))!;

const runOf = ({ startedAt, machine: { commit, changed, node } }: BenchResult): Run => ({
  startedAt,
  commit,
  changed,
  node,
});
