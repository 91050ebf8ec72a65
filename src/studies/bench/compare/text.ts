// A comparison as lines for a terminal, which follow its answer.
import type { Paint } from "../../../kit/reading/legible.ts";
import { table } from "../../../kit/reading/table.ts";
import type { CaseWords } from "../metric-words.ts";
import type { TablePrint } from "../table.ts";
import type { BenchComparison, FigureVerdict } from "./comparison.ts";
import { doubtOf, HEADS, phrasesOf, describeQuestion, describeRun, TONES } from "./phrases.ts";

interface ComparisonPrint extends TablePrint {
  /** Whether every metric without a gate is listed, and not only those that changed. */
  readonly isVerbose: boolean;
}

export function linesOf(comparison: BenchComparison, print: ComparisonPrint): readonly string[] {
  const { suite, base, head, gates, shown, cases } = comparison;
  const listed = print.isVerbose
    ? shown
    : shown.filter((judged) => ["improved", "regressed"].includes(judged.verdict.word));
  const more = listed.length === shown.length ? "" : ` (--verbose shows all ${shown.length})`;
  return [
    ...tableOf(gates, cases, print),
    ...(shown.length === 0 ? [] : ["", `without a gate${more}`, ...tableOf(listed, cases, print)]),
    ...(print.isVerbose ? doubtsOf(listed, cases) : []),
    "",
    ...(print.hasLegend ? LEGEND : []),
    `suite ${suite.id}`,
    ...describeQuestion(comparison).split("; "),
    `base  ${describeRun(base)}`,
    `head  ${describeRun(head)}`,
  ];
}

const LEGEND: readonly string[] = [
  "base, head: the median, half of the repeats are that near to it, and the number of repeats",
  "likely from, to: the middle of the ratios of medians that were drawn from the repeats again",
  "p: how often mixing the repeats of both runs sets them as far apart; of gates, corrected for their number",
];

const COLUMNS = ["word", "name", "base", "head", "change", "interval", "p"] as const;

function tableOf(
  figures: readonly FigureVerdict[],
  cases: CaseWords | undefined,
  { paint, width }: { readonly paint: Paint; readonly width: number },
): readonly string[] {
  if (figures.length === 0) return [];
  const rows = figures.map((one) => phrasesOf(one, cases));
  return table(
    COLUMNS.map((column, at) => ({
      title: column === "word" ? "verdict" : HEADS[column],
      cells: rows.map((row) => row[column]),
      isNumber: at > 1,
    })),
    paint,
    (row, column) => (column === 0 ? TONES[rows[row]!.word] : null),
    { width, named: 2 },
  );
}

const doubtsOf = (
  figures: readonly FigureVerdict[],
  cases: CaseWords | undefined,
): readonly string[] =>
  figures.flatMap((one) => {
    const doubt = doubtOf(one);
    return doubt === null ? [] : [`${phrasesOf(one, cases).name}: ${doubt}`];
  });
