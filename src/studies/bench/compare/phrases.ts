// The words of a comparison, which the output for terminals and the output in Markdown share.
import { exactPercent, figure, type Tone } from "../../../kit/reading/legible.ts";
import { shortMetricWords, type CaseWords } from "../metric-words.ts";
import type {
  BenchComparison,
  FigureVerdict,
  ComparedRun,
  CompareWord,
  Evidence,
} from "./comparison.ts";
import { MAYBE_CHANCE, TOO_FEW } from "./verdict.ts";

export interface FigurePhrases {
  readonly word: CompareWord;
  readonly name: string;
  readonly base: string;
  readonly head: string;
  readonly change: string;
  readonly interval: string;
  readonly p: string;
}

export const HEADS: FigurePhrases = {
  word: "unclear",
  name: "metric",
  base: "base",
  head: "head",
  change: "change",
  interval: "likely from, to",
  p: "p",
};

export const phrasesOf = (
  { cell, metric, unit, evidence, p, verdict }: FigureVerdict,
  cases: CaseWords | undefined,
): FigurePhrases => ({
  word: verdict.word,
  name: `${cell}: ${shortMetricWords(metric, cases)}`,
  base: evidence === null ? "" : sideOf(evidence.base, unit),
  head: evidence === null ? "" : sideOf(evidence.head, unit),
  change: evidence === null ? "" : changeOf(evidence.ratio),
  interval:
    evidence === null || evidence.interval === null
      ? ""
      : isSingle(evidence)
        ? "-"
        : `${changeOf(evidence.interval.low)}, ${changeOf(evidence.interval.high)}`,
  p: p === null || isSingle(evidence) ? "" : p < 0.001 ? "<0.001" : p.toFixed(3),
});

/** No test separates a single repeat from chance, and it has no range. */
const isSingle = (evidence: Evidence | null): boolean =>
  evidence !== null && Math.min(evidence.base.repeats, evidence.head.repeats) < 2;

/** Formats the median, the distance from it within which half of the repeats are, and the number of repeats. */
function sideOf({ median, mad, repeats }: Evidence["base"], unit: string): string {
  const near = median === 0 ? figure(mad) : `${((mad / median) * 100).toFixed(1)} %`;
  return `${figure(median)}${unit === "" ? "" : ` ${unit}`}${repeats < 2 ? "" : ` ±${near}`} (${repeats})`;
}

/** Writes a ratio as a change in per cent. */
function changeOf(ratio: number | null): string {
  if (ratio === null) return "from nothing";
  return changePercentOf(ratio);
}

export function changePercentOf(ratio: number): string {
  const percent = (ratio - 1) * 100;
  const digits = Math.abs(percent) < 100 ? 1 : 0;
  const rounded = percent.toFixed(digits).replace(/^-(?=[0.]+$)/, "");
  return `${percent > 0 && Number(rounded) !== 0 ? "+" : ""}${rounded} %`;
}

/** Why a verdict is unclear, and what would help; null if the verdict is clear. */
export function doubtOf({ verdict: { why, needed } }: FigureVerdict): string | null {
  if (why === null) return null;
  if (why === TOO_FEW) return `${why}; run both again with --repeats 10`;
  if (needed === null) return why;
  return needed > MOST_REPEATS
    ? `${why}; the runs vary too much to settle it by more repeats`
    : `${why}; about ${Number(needed.toPrecision(2))} repeats in each run would ${why.endsWith(MAYBE_CHANCE) ? "show one of this size" : "settle it"} (estimated from the spread)`;
}

/** A run of more takes hours, and a quiet machine helps more. */
const MOST_REPEATS = 500;

/** The number of metrics for each verdict, in the order of the verdicts. */
export function countsOf(figures: readonly FigureVerdict[]): string {
  const words: readonly CompareWord[] = ["improved", "regressed", "same", "unclear"];
  return words
    .map((word) => `${figures.filter(({ verdict }) => verdict.word === word).length} ${word}`)
    .join(", ");
}

export const describeRun = ({ startedAt, commit, changed, node }: ComparedRun): string =>
  `${startedAt}, ${commit === null ? "no commit" : `commit ${commit.slice(0, 10)}${changed ? " and changes to it" : ""}`}, Node ${node}`;

/** Describes the criteria of the verdicts, for a reader who sees only the result. */
export const describeQuestion = ({ minEffect, alpha }: BenchComparison): string =>
  `a change matters from ${exactPercent(minEffect)} on; at most ${exactPercent(alpha)} of comparisons of equal runs raise an alarm`;

/** Counts the metrics without a gate by verdict, and states how many of their changes may be chance alone. */
export const describeShown = ({ shown, alpha }: BenchComparison): string =>
  `shown only: ${countsOf(shown)}; not corrected for their number: ${Math.ceil(shown.length * alpha)} of the differences may be chance alone`;

export const TONES: Readonly<Record<CompareWord, Tone>> = {
  improved: "good",
  regressed: "bad",
  same: "faint",
  unclear: "doubtful",
};
