// A comparison as lines for a terminal.
import type { BenchComparison, FigureVerdict, CompareWord } from "./comparison.ts";
import {
  countsOf,
  doubtOf,
  headlineOf,
  HEADS,
  phrasesOf,
  describeQuestion,
  describeRun,
  describeShown,
  type FigurePhrases,
} from "./phrases.ts";

export type WordPaint = (word: CompareWord, text: string) => string;

/** With `all`, lists every metric that is no gate, otherwise only those that changed. */
export function linesOf(
  comparison: BenchComparison,
  paint: WordPaint,
  { all }: { readonly all: boolean },
): readonly string[] {
  const { suite, base, head, gates, shown, word } = comparison;
  const listed = all
    ? shown
    : shown.filter((judged) => ["improved", "regressed"].includes(judged.verdict.word));
  return [
    `suite ${suite.id}`,
    `base  ${describeRun(base)}`,
    `head  ${describeRun(head)}`,
    describeQuestion(comparison),
    "",
    ...tableOf(gates, paint),
    "",
    `${describeShown(comparison)}${all || listed.length === shown.length ? "" : " (--verbose shows all)"}`,
    ...tableOf(listed, paint),
    "",
    paint(word, headlineOf(comparison)),
    `gates: ${countsOf(gates)}`,
  ];
}

const COLUMNS = ["name", "base", "head", "change", "interval", "p"] as const;

function tableOf(figures: readonly FigureVerdict[], paint: WordPaint): readonly string[] {
  if (figures.length === 0) return [];
  const rows = figures.map(phrasesOf);
  const width = (column: (typeof COLUMNS)[number]): number =>
    Math.max(...[HEADS, ...rows].map((row) => row[column].length));
  const widths = COLUMNS.map(width);
  const line = (row: FigurePhrases): string =>
    COLUMNS.map((column, at) =>
      column === "name" ? row.name.padEnd(widths[at]!) : row[column].padStart(widths[at]!),
    ).join("  ");
  return [
    `${" ".repeat(WORD_WIDTH)}  ${line(HEADS)}`,
    ...figures.flatMap((one, at) => {
      const row = rows[at]!;
      const doubt = doubtOf(one);
      return [
        `${paint(row.word, row.word.padEnd(WORD_WIDTH))}  ${line(row)}`.trimEnd(),
        ...(doubt === null ? [] : [`${" ".repeat(WORD_WIDTH)}    ${doubt}`]),
      ];
    }),
  ];
}

const WORD_WIDTH = "regressed".length;
