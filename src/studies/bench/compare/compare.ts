// Compares two results: at most four gates can fail the comparison, and all other metrics are information.
import { rng } from "../../../kit/chance/rng.ts";
import { caseWordsOf } from "../metric-words.ts";
import { metricOf, type BenchResult, type BenchCellResult } from "../result.ts";
import { FACTORS, type Gate } from "../suite.ts";
import {
  relativeEvidence,
  isOutside,
  referencesOf,
  type Pair,
  type ControlReference,
} from "./controls.ts";
import { evidenceOf, type EvidenceEffort } from "./evidence.ts";
import {
  COMPARE_FORMAT,
  comparisonFooterOf,
  worstWordOf,
  type BenchComparison,
  type ComparedRun,
  type Evidence,
  type FigureVerdict,
  type RelativeEvidence,
} from "./comparison.ts";
import { holm } from "../../../kit/stats/holm.ts";
import { hasMoved, verdictOf } from "./verdict.ts";

export interface CompareQuestion {
  /** The smallest change that matters, such as 0.03. */
  readonly minEffect: number;
  /** The share of comparisons of equal runs that may report a change. */
  readonly alpha: number;
  readonly seed: number;
}

/** The number of random draws for a metric. */
type ChanceEffort = Pick<EvidenceEffort, "permutations" | "resamples">;

/** Metrics that are only shown get fewer draws: there can be hundreds, and no exit code depends on them. */
const EFFORTS: { readonly gate: ChanceEffort; readonly shown: ChanceEffort } = {
  gate: { permutations: 10_000, resamples: 10_000 },
  shown: { permutations: 1_000, resamples: 1_000 },
};

interface CompareOptions {
  /** Cells whose two measurements are of different loads, each with the reason. */
  readonly leftOut?: ReadonlyMap<string, string>;
  readonly efforts?: typeof EFFORTS;
}

export function compare(
  base: BenchResult,
  head: BenchResult,
  question: CompareQuestion,
  warnings: readonly string[],
  { leftOut = new Map(), efforts = EFFORTS }: CompareOptions = {},
): BenchComparison {
  const { minEffect, alpha, seed } = question;
  const isGate = ({ cell, metric }: Gate): boolean =>
    base.gates.some((gate) => gate.cell === cell && gate.metric === metric);
  const pairs = pairsOf(base, head).filter((pair) => !leftOut.has(pair.base.name));
  const metrics = Object.keys(base.metrics);
  const effortOf = (kind: keyof typeof EFFORTS): EvidenceEffort => ({
    ...efforts[kind],
    confidence: 1 - alpha,
  });
  const machine = new Map(
    metrics.map((metric) => [
      metric,
      referencesOf(pairs, metric).map((reference): ReferenceChange => {
        const [ours, theirs] = [[...reference.base.values()], [...reference.head.values()]];
        const random = rng(seed, `compare/control/${reference.name}/${metric}`);
        const kind = base.gates.some((gate) => gate.metric === metric) ? "gate" : "shown";
        const evidence = evidenceOf(ours, theirs, effortOf(kind), random);
        return { reference, evidence, isMoved: hasMoved(evidence, question) };
      }),
    ]),
  );
  const figures: readonly FigureEvidence[] = pairs.flatMap((pair) =>
    metrics.flatMap((metric) => {
      const [ours, theirs] = [valuesOf(pair.base, metric), valuesOf(pair.head, metric)];
      if (ours.length === 0 || theirs.length === 0) return [];
      const gate: Gate = { cell: pair.base.name, metric };
      const effort = effortOf(isGate(gate) ? "gate" : "shown");
      const random = rng(seed, `compare/${gate.cell}/${metric}`);
      const evidence = evidenceOf(ours, theirs, effort, random);
      const controls = isOutside(pair.base) ? [] : machine.get(metric)!;
      const relative = controls.flatMap(({ reference }) => {
        const chance = random.split(reference.name);
        return relativeEvidence(pair, metric, reference, effort, chance) ?? [];
      });
      const moved = controls.flatMap(({ reference, isMoved }) => (isMoved ? reference.name : []));
      // A change must hold relative to every control, so the largest p-value counts.
      const p = Math.max(evidence.p, ...relative.map((one) => one.evidence.p));
      return [{ ...gate, evidence, relative, moved, p }];
    }),
  );
  const decideVerdict = (
    figureEvidence: FigureEvidence,
    p: number,
    questions: number,
  ): FigureVerdict => {
    const { cell, metric, evidence, relative, moved } = figureEvidence;
    const { unit, better } = metricOf(base, metric);
    const figure = { evidence, relative, moved, p, better };
    const verdict = verdictOf(figure, { minEffect, alpha, questions });
    return { cell, metric, unit, better, evidence, relative, p, verdict };
  };
  const gating = base.gates.flatMap((gate) =>
    figures.filter(({ cell, metric }) => cell === gate.cell && metric === gate.metric),
  );
  const corrected = holm(gating.map(({ p }) => p));
  const decided = gating.map((found, at) => decideVerdict(found, corrected[at]!, gating.length));
  const gates = base.gates.map(
    (gate) =>
      decided.find(({ cell, metric }) => cell === gate.cell && metric === gate.metric) ??
      notMeasured(gate, base, leftOut.get(gate.cell)),
  );
  const shown = figures
    .filter((found) => !isGate(found))
    .map((found) => decideVerdict(found, found.p, 1));
  const cases = caseWordsOf(base);
  return {
    format: COMPARE_FORMAT,
    ...(cases === null ? {} : { cases }),
    suite: base.suite,
    base: runOf(base),
    head: runOf(head),
    minEffect,
    alpha,
    seed,
    word: worstWordOf(gates),
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

interface ReferenceChange {
  readonly reference: ControlReference;
  readonly evidence: Evidence;
  readonly isMoved: boolean;
}

interface FigureEvidence extends Gate {
  readonly evidence: Evidence;
  readonly relative: readonly RelativeEvidence[];
  readonly moved: readonly string[];
  readonly p: number;
}

/** Pairs cells of the same name and load; with --force also of different suites. */
const pairsOf = (base: BenchResult, head: BenchResult): readonly Pair[] =>
  base.cells.flatMap((cell) => {
    const other = head.cells.find(({ name }) => name === cell.name);
    return other !== undefined && loadOf(cell) === loadOf(other)
      ? [{ base: cell, head: other }]
      : [];
  });

const loadOf = ({ control, factors }: BenchCellResult): string =>
  JSON.stringify([control, factors && FACTORS.map((factor) => factors[factor])]);

/** The values of all repeats. Their order is meaningless: repeats of a round follow each other only within one run. */
const valuesOf = ({ repeats }: BenchCellResult, metric: string): readonly number[] =>
  repeats.flatMap(({ metrics }) => metrics[metric] ?? []);

const notMeasured = (
  gate: Gate,
  base: BenchResult,
  why = "it was not measured in both runs",
): FigureVerdict => ({
  ...gate,
  unit: metricOf(base, gate.metric).unit,
  better: metricOf(base, gate.metric).better,
  evidence: null,
  relative: [],
  p: null,
  verdict: { word: "unclear", why, needed: null },
});

const runOf = ({ startedAt, machine: { commit, changed, node } }: BenchResult): ComparedRun => ({
  startedAt,
  commit,
  changed,
  node,
});
