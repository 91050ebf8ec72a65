// As many pairs as it takes: what was measured is looked at again and again, and a gate that is decided stays so. Whoever looks
// often finds something by chance, so each look may spend a part of alpha only. How far from nothing is far enough at
// a look follows from the pairs alone: the same signs are flipped at each of them.
import type { Rng } from "../../chance/rng.ts";
import {
  evidenceOf,
  unclear,
  wordOf,
  type GatePairs,
  type PairQuestion,
  type PairVerdict,
} from "./judge.ts";
import { differencesFrom, estimateChange, type PairRounds } from "../../stats/sign-flip.ts";

export interface Looks {
  /** After every so many pairs. */
  readonly every: number;
  /** A multiple of it. */
  readonly most: number;
}

export interface UntilQuestion extends PairQuestion {
  /** Without a change of that size it is the same, such as 0.05. */
  readonly wanted: number;
  readonly looks: Looks;
  readonly flips?: number;
}

export interface Boundary {
  readonly pairs: number;
  /** Further from nothing than that is a change. */
  readonly boundary: number;
  readonly found: number;
}

export interface GateDecision extends PairVerdict {
  /** Null: not yet. */
  readonly decidedAt: number | null;
  readonly boundaries: readonly Boundary[];
}

/** Each of several gates has its part of alpha. */
export const decideByLooks = (
  gates: readonly GatePairs[],
  question: UntilQuestion,
  random: Rng,
): readonly GateDecision[] =>
  gates.map((gate, at) => decide(gate, gates.length, question, random.split(`${at}`)));

const FLIPS = 10_000;

/** How far pairs are from what is supposed, and how far chance alone would set them. */
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
  // That there is no change, that there is one of that size, and that there is one in the other direction.
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
          `neither a change nor that there is none of ${percent(wanted)} could be shown`,
          evidenceOf(pairs, gates, question, random.split("evidence")),
        );
  return { ...verdict, decidedAt: null, boundaries };
}

const percent = (share: number): string => `${Number((share * 100).toPrecision(3))} %`;

/** The sum of differences, as a multiple of what chance makes of it. */
function distanceOf(differences: readonly number[]): number {
  const squares = differences.reduce((sum, one) => sum + one * one, 0);
  return squares === 0 ? 0 : differences.reduce((sum, one) => sum + one, 0) / Math.sqrt(squares);
}

/** So many rows of signs, one for each pair. The first turns nothing round: it is what was measured. */
function drawSigns(flips: number, most: number, random: Rng): Int8Array {
  const signs = new Int8Array(flips * most).fill(1);
  for (let at = most; at < signs.length; at++) if (random.next() < 0.5) signs[at] = -1;
  return signs;
}

/**
 * The boundary at each look. Alpha is spent in proportion to the pairs. A flip that crossed an earlier boundary is spent;
 * of the others as many may cross this one as its part allows.
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

/** What is looked for decides how often it is worth looking, and when to give up: on the pools these find it 95 times of 100. */
export const looksFor = (wanted: number): Looks =>
  wanted < 0.08 ? { every: 8, most: 64 } : { every: 4, most: 32 };
