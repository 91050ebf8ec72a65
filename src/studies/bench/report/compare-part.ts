// A comparison as the content of a report page: one row for each ratio, with its likely interval.
import type {
  RowMark,
  MeasuredRow,
  RowsFigure,
  MarkTone,
} from "../../../lab/report/measured-figures.ts";
import type { MeasuredPart, MeasuredTable } from "../../../lab/report/measured.ts";
import type {
  BenchComparison,
  FigureVerdict,
  Evidence,
  CompareWord,
} from "../compare/comparison.ts";
import {
  countsOf,
  HEADS,
  phrasesOf,
  describeQuestion,
  describeRun,
  describeShown,
} from "../compare/phrases.ts";
import type { CaseWords } from "../metric-words.ts";
import { CONTROLS } from "../suite.ts";

/** Without headline, which the answer gives it. */
export function comparePart(comparison: BenchComparison): MeasuredPart {
  const { suite, word, gates, shown, warnings, base, head, seed, cases } = comparison;
  const gated = new Set(gates.map(({ metric }) => metric));
  const controls = shown.filter((one) => isControl(one) && gated.has(one.metric));
  const differing = shown.filter((one) => WORDS_OF_CHANGE.includes(one.verdict.word));
  return {
    title: `Comparison of ${suite.id}: ${word}`,
    headline: "",
    word,
    doubts: warnings,
    summary: [`${suite.title}. Gates: ${countsOf(gates)}; ${describeQuestion(comparison)}.`],
    sections: [
      {
        title: "Gates and their controls",
        notes: [
          "Each line is the likely interval of the ratio of head to base, and the upright mark its measured value. In the grey band no change matters. A control has no code of Weir in it: if it moved, the machine changed.",
        ],
        figures: forestOf([...gates, ...controls], comparison),
        tables: [tableOf(gates, cases, null)],
      },
      {
        title: "Metrics that are only shown",
        notes: [`${describeShown(comparison)}.`],
        figures: forestOf(differing, comparison),
        tables:
          shown.length === 0 ? [] : [tableOf(shown, cases, "All metrics that are only shown")],
      },
    ],
    facts: [
      ["base", describeRun(base)],
      ["head", describeRun(head)],
      ["suite", `${suite.id}, ${suite.hash}`],
      ["seed", String(seed)],
    ],
  };
}

const WORDS_OF_CHANGE: readonly CompareWord[] = ["regressed", "improved"];

const isControl = ({ cell }: FigureVerdict): boolean => CONTROLS.some((name) => name === cell);

const TONES: Readonly<Record<CompareWord, MarkTone>> = {
  improved: "good",
  regressed: "bad",
  same: "own",
  unclear: "doubt",
};

/** A ratio beyond this factor is printed as text only. */
const FARTHEST = 4;

function forestOf(
  figures: readonly FigureVerdict[],
  { minEffect, cases }: Pick<BenchComparison, "minEffect" | "cases">,
): readonly RowsFigure[] {
  const found = figures.flatMap((one) =>
    one.evidence === null ? [] : [{ one, evidence: one.evidence }],
  );
  if (found.length === 0) return [];
  const rows = found.flatMap(({ one, evidence }): readonly MeasuredRow[] => {
    const { word, name, change } = phrasesOf(one, cases);
    const own = isControl(one);
    const tone = own && word === "same" ? "control" : TONES[word];
    const all = own ? [] : one.relative;
    return [
      {
        what: name,
        isControl: own,
        value: `${word} ${change}`,
        tone,
        marks: marksOf(evidence, change, tone),
      },
      ...all.map((relative): MeasuredRow => ({
        what: `${name}, divided by ${relative.control}`,
        isControl: false,
        value: "",
        tone: "control",
        marks: marksOf(relative.evidence, changeIn(relative.evidence), "control"),
      })),
    ];
  });
  const reached = rows.flatMap(({ marks }) => marks.flatMap(({ from, to }) => [from, to]));
  const far = Math.max(
    1 + 2 * minEffect,
    ...reached.map((ratio) => (ratio > 0 ? Math.max(ratio, 1 / ratio) : FARTHEST)),
  );
  const to = Math.min(FARTHEST, far * 1.02);
  return [
    {
      kind: "rows",
      title: "head divided by base",
      unit: "ratio, on a logarithmic scale",
      scale: "log",
      from: 1 / to,
      to,
      band: [1 / (1 + minEffect), 1 + minEffect],
      references: [{ at: 1, what: "nothing has changed" }],
      rows,
    },
  ];
}

function marksOf(
  { ratio, interval }: Evidence,
  change: string,
  tone: MarkTone,
): readonly RowMark[] {
  const likely =
    interval === null
      ? ""
      : `, likely from ${percentOf(interval.low)} to ${percentOf(interval.high)}`;
  const tip = `${change}${likely}`;
  return [
    ...(interval === null
      ? []
      : [{ shape: "rule", from: interval.low, to: interval.high, tone, tip } as const]),
    ...(ratio === null ? [] : [{ shape: "tick", from: ratio, to: ratio, tone, tip } as const]),
  ];
}

const percentOf = (ratio: number): string => `${((ratio - 1) * 100).toFixed(1)} %`;
const changeIn = ({ ratio }: Evidence): string =>
  ratio === null ? "from nothing" : percentOf(ratio);

function tableOf(
  figures: readonly FigureVerdict[],
  cases: CaseWords | undefined,
  folded: string | null,
): MeasuredTable {
  const columns = ["word", "name", "base", "head", "change", "interval", "p"] as const;
  return {
    heads: columns.map((column) => (column === "word" ? "verdict" : HEADS[column])),
    rows: figures.map((one) => {
      const phrases = phrasesOf(one, cases);
      return columns.map((column) => phrases[column]);
    }),
    folded,
    names: 2,
  };
}
