// Measures as many pairs as needed. A gate is tested after every few pairs (a look), until it is decided. Each look can
// find something by chance, so it may spend only a part of alpha. All looks flip the same signs, so the pairs alone
// determine the boundary at each of them.
import type { Rng } from "../../../kit/chance/rng.ts";
import {
  evidenceOf,
  unclear,
  wordOf,
  type GatePairs,
  type PairQuestion,
  type PairVerdict,
} from "./pair-verdicts.ts";
import { differencesFrom, estimateChange, type PairRounds } from "../../../kit/stats/sign-flip.ts";

export interface Looks {
  /** The number of pairs between two looks. */
  readonly every: number;
  /** The largest number of pairs, a multiple of `every`. */
  readonly most: number;
}

interface UntilQuestion extends PairQuestion {
  /** The verdict is "same" if a change of this size, such as 0.05, is excluded. */
  readonly wanted: number;
  readonly looks: Looks;
  readonly flips?: number;
}

export interface Boundary {
  readonly pairs: number;
  /** A larger distance from zero is a change. */
  readonly boundary: number;
  readonly found: number;
}

export interface GateDecision extends PairVerdict {
  /** Number of pairs at the look that decided the gate; null: it is undecided. */
  readonly decidedAt: number | null;
  readonly boundaries: readonly Boundary[];
}

/** Decides each gate with an equal part of alpha. */
export const decideByLooks = (
  gates: readonly GatePairs[],
  question: UntilQuestion,
  random: Rng,
): readonly GateDecision[] =>
  gates.map((gate, at) => decide(gate, gates.length, question, random.split(`${at}`)));

const FLIPS = 10_000;

/** How far the pairs are from an assumed change, and how far chance alone may put them. */
type Refutation = (some: PairRounds) => { readonly distance: number; readonly boundary: number };

function decide(
  { pairs, better }: GatePairs,
  gates: number,
  question: UntilQuestion,
  random: Rng,
): GateDecision {
  const { alpha, wanted, minEffect, looks, flips = FLIPS } = question;
  const margin = Math.log1p(wanted);
  const signs = drawSigns(flips, looks.most, random.split("flips"));
  const [none, up, down] = [0, margin, -margin].map((supposed) => {
    const boundaryAt = spending(alpha / gates, looks.most, signs);
    return (some: PairRounds) => {
      const differences = differencesFrom(some, supposed);
      return { distance: distanceOf(differences), boundary: boundaryAt(differences) };
    };
  }) as [Refutation, Refutation, Refutation];
  const boundaries: Boundary[] = [];
  for (let count = looks.every; count <= Math.min(pairs.length, looks.most); count += looks.every) {
    const some = pairs.slice(0, count);
    const [ofNone, ofUp, ofDown] = [none(some), up(some), down(some)];
    boundaries.push({ pairs: count, boundary: ofNone.boundary, found: ofNone.distance });
    const buildDecision = (word: PairVerdict["word"]): GateDecision => ({
      word,
      why: null,
      evidence: evidenceOf(some, gates, question, random.split("evidence")),
      decidedAt: count,
      boundaries,
    });
    const change = estimateChange(some);
    if (Math.abs(ofNone.distance) > ofNone.boundary && Math.abs(change) >= Math.log1p(minEffect))
      return buildDecision(wordOf(change, better));
    if (ofUp.distance < -ofUp.boundary && ofDown.distance > ofDown.boundary)
      return buildDecision("same");
  }
  const verdict =
    pairs.length === 0
      ? unclear("it was not measured", null)
      : unclear(
          `neither a change of ${percent(wanted)} nor its absence could be shown`,
          evidenceOf(pairs, gates, question, random.split("evidence")),
        );
  return { ...verdict, decidedAt: null, boundaries };
}

const percent = (share: number): string => `${Number((share * 100).toPrecision(3))} %`;

/** The sum of differences, as a multiple of its size under chance. */
function distanceOf(differences: readonly number[]): number {
  const squares = differences.reduce((sum, one) => sum + one * one, 0);
  return squares === 0 ? 0 : differences.reduce((sum, one) => sum + one, 0) / Math.sqrt(squares);
}

/** Rows of signs, with one sign for each pair. The first row is all plus: it leaves the pairs as measured. */
function drawSigns(flips: number, most: number, random: Rng): Int8Array {
  const signs = new Int8Array(flips * most).fill(1);
  for (let at = most; at < signs.length; at++) if (random.next() < 0.5) signs[at] = -1;
  return signs;
}

/**
 * Returns the boundary at each look. Alpha is spent in proportion to the pairs. A row of signs that crossed an earlier
 * boundary has spent its part of alpha; as many other rows may cross this boundary as the alpha up to now allows.
 */
function spending(
  alpha: number,
  most: number,
  signs: Int8Array,
): (differences: readonly number[]) => number {
  const flips = signs.length / most;
  let open = Int32Array.from({ length: flips }, (_, at) => at);
  return (differences) => {
    const values = Float64Array.from(differences);
    const root = Math.sqrt(values.reduce((sum, one) => sum + one * one, 0)) || 1;
    const distances = new Float64Array(open.length);
    for (let row = 0; row < open.length; row++) {
      const first = open[row]! * most;
      let sum = 0;
      for (let at = 0; at < values.length; at++) sum += signs[first + at]! * values[at]!;
      distances[row] = Math.abs(sum) / root;
    }
    const spent = flips - open.length;
    const allowed = Math.floor((alpha * values.length * flips) / most) - spent;
    const boundary = distances.toSorted().at(-1 - allowed)! * (1 + 1e-9);
    open = open.filter((_, row) => distances[row]! <= boundary);
    return boundary;
  };
}

/** How often to look and when to give up. With these numbers, a change of `wanted` is found in 95 of 100 runs. */
export const looksFor = (wanted: number): Looks =>
  wanted < 0.08 ? { every: 8, most: 64 } : { every: 4, most: 32 };
