// Two results become one comparison: at most four gates that can fail it, and everything else to look at.
import { rng } from "../../chance/rng.ts";
import { metricOf, type BenchResult, type CellResult } from "../result.ts";
import { FACTORS, type Gate } from "../suite.ts";
import {
  besideOf,
  isOutside,
  referencesOf,
  type Beside,
  type Pair,
  type Reference,
} from "./controls.ts";
import { evidenceOf, type Effort, type Evidence } from "./evidence.ts";
import { holm } from "../../stats/holm.ts";
import { hasMoved, verdictOf, type Verdict, type Word } from "./verdict.ts";

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
  /** The same, divided by what controls measured in the same rounds. */
  readonly beside: readonly Beside[];
  /** The largest of all of them, corrected for the number of gates; a figure that is only shown is not corrected. */
  readonly p: number | null;
  readonly verdict: Verdict;
}

export interface Run {
  readonly startedAt: string;
  readonly commit: string | null;
  readonly changed: boolean;
  readonly node: string;
}

export interface Moved {
  readonly control: string;
  readonly metric: string;
  readonly ratio: number;
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
  /** Controls that changed beyond chance: the machine may have, or they have trouble of their own. */
  readonly moved: readonly Moved[];
  /** A document without it was cut off. */
  readonly footer: { readonly gates: number; readonly shown: number };
}

export const comparisonFooterOf = ({
  gates,
  shown,
}: Pick<Comparison, "gates" | "shown">): Comparison["footer"] => ({
  gates: gates.length,
  shown: shown.length,
});

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
  const metrics = Object.keys(base.metrics);
  const effortOf = (kind: keyof typeof TROUBLE): Effort => ({
    ...trouble[kind],
    confidence: 1 - alpha,
  });
  const machine = new Map(
    metrics.map((metric) => [
      metric,
      referencesOf(pairs, metric).map((reference): Moving => {
        const [ours, theirs] = [[...reference.base.values()], [...reference.head.values()]];
        const random = rng(seed, `compare/control/${reference.name}/${metric}`);
        const kind = base.gates.some((gate) => gate.metric === metric) ? "gate" : "shown";
        const evidence = evidenceOf(ours, theirs, effortOf(kind), random);
        return { reference, evidence, isMoved: hasMoved(evidence, question) };
      }),
    ]),
  );
  const figures: readonly Found[] = pairs.flatMap((pair) =>
    metrics.flatMap((metric) => {
      const [ours, theirs] = [valuesOf(pair.base, metric), valuesOf(pair.head, metric)];
      if (ours.length === 0 || theirs.length === 0) return [];
      const gate: Gate = { cell: pair.base.name, metric };
      const effort = effortOf(isGate(gate) ? "gate" : "shown");
      const random = rng(seed, `compare/${gate.cell}/${metric}`);
      const evidence = evidenceOf(ours, theirs, effort, random);
      const controls = isOutside(pair.base) ? [] : machine.get(metric)!;
      const beside = controls.flatMap(({ reference }) => {
        const chance = random.split(reference.name);
        return besideOf(pair, metric, reference, effort, chance) ?? [];
      });
      const moved = controls.flatMap(({ reference, isMoved }) => (isMoved ? reference.name : []));
      // What has to stand beside all of them stands as well as beside the worst.
      const p = Math.max(evidence.p, ...beside.map((one) => one.evidence.p));
      return [{ ...gate, evidence, beside, moved, p }];
    }),
  );
  const judge = (found: Found, p: number, questions: number): Judged => {
    const { cell, metric, evidence, beside, moved } = found;
    const { unit, better } = metricOf(base, metric);
    const figure = { evidence, beside, moved, p, better };
    const verdict = verdictOf(figure, { minEffect, alpha, questions });
    return { cell, metric, unit, better, evidence, beside, p, verdict };
  };
  const gating = base.gates.flatMap((gate) =>
    figures.filter(({ cell, metric }) => cell === gate.cell && metric === gate.metric),
  );
  const corrected = holm(gating.map(({ p }) => p));
  const judged = gating.map((found, at) => judge(found, corrected[at]!, gating.length));
  const gates = base.gates.map(
    (gate) =>
      judged.find(({ cell, metric }) => cell === gate.cell && metric === gate.metric) ??
      missing(gate, base),
  );
  const shown = figures.filter((found) => !isGate(found)).map((found) => judge(found, found.p, 1));
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
    shown,
    warnings,
    moved: [...machine].flatMap(([metric, controls]) =>
      controls.flatMap(({ reference, evidence, isMoved }) =>
        isMoved ? [{ control: reference.name, metric, ratio: evidence.ratio! }] : [],
      ),
    ),
    footer: comparisonFooterOf({ gates, shown }),
  };
}

interface Moving {
  readonly reference: Reference;
  readonly evidence: Evidence;
  readonly isMoved: boolean;
}

interface Found extends Gate {
  readonly evidence: Evidence;
  readonly beside: readonly Beside[];
  readonly moved: readonly string[];
  readonly p: number;
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
const valuesOf = ({ repeats }: CellResult, metric: string): readonly number[] =>
  repeats.flatMap(({ metrics }) => metrics[metric] ?? []);

const missing = (gate: Gate, base: BenchResult): Judged => ({
  ...gate,
  unit: metricOf(base, gate.metric).unit,
  better: metricOf(base, gate.metric).better,
  evidence: null,
  beside: [],
  p: null,
  verdict: { word: "unclear", why: "it was not measured in both runs", needed: null },
});

const FROM_WORST: readonly Word[] = ["regressed", "unclear", "improved", "same"];

/** Without gates nothing was asked, and nothing is known. */
export const worst = (gates: readonly Judged[]): Word =>
  worstWord(gates.map(({ verdict }) => verdict.word));

export const worstWord = (words: readonly Word[]): Word =>
  FROM_WORST.find((word) => words.includes(word)) ?? "unclear";

const runOf = ({ startedAt, machine: { commit, changed, node } }: BenchResult): Run => ({
  startedAt,
  commit,
  changed,
  node,
});
