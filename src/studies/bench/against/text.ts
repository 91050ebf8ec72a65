// The result of a run of two versions, as lines for a terminal and as a comment for a pull request, without its answer.
import { table } from "../../../kit/reading/table.ts";
import { changePercentOf, TONES } from "../compare/phrases.ts";
import type { TablePrint } from "../table.ts";
import { escapeMarkdown, exactPercent, figure } from "../../../kit/reading/legible.ts";
import { timeText } from "../progress-line.ts";
import type { AgainstResult, PairedGate, Version } from "./result.ts";

const COLUMNS = ["gate", "base", "head", "change", "likely from, to", "p", "finds from"] as const;

const nameOf = ({ cell, metric }: PairedGate): string => `${cell} ${metric}`;

function rowOf(gate: PairedGate): readonly string[] {
  const { evidence, unit, base, head } = gate;
  const amount = (value: number | null): string =>
    value === null ? "" : `${figure(value)} ${unit}`;
  if (evidence === null) return [nameOf(gate), "", "", "", "", "", ""];
  const { ratio, interval, p, least } = evidence;
  return [
    nameOf(gate),
    amount(base),
    amount(head),
    changePercentOf(ratio),
    `${changePercentOf(interval.low)}, ${changePercentOf(interval.high)}`,
    p < 0.001 ? "<0.001" : p.toFixed(3),
    leastOf(least),
  ];
}

const leastOf = (least: number): string =>
  Number.isFinite(least) ? exactPercent(Number(least.toPrecision(2))) : "nothing";

const versionInWords = ({ path, form, commit, changed, packages }: Version): string =>
  [
    path,
    `version ${packages["weir"] ?? "unknown"}`,
    commit === null
      ? "no checkout"
      : `commit ${commit.slice(0, 10)}${changed ? " and changes to it" : ""}`,
    form === "source" ? "from source" : "compiled",
  ].join(", ");

const questionInWords = ({ design: { minEffect, alpha } }: AgainstResult): string =>
  `a change matters from ${exactPercent(minEffect)} on; at most ${exactPercent(alpha)} of runs of equal versions raise an alarm`;

const designInWords = ({ suite, pairs, design, tookSeconds }: AgainstResult): string =>
  `suite ${suite.id}: ${pairs} of ${design.until === null ? "" : "at most "}${design.pairs} pairs of fresh processes, ${design.rounds} rounds each, in ${timeText(tookSeconds)}`;

const TABLE = ["word", ...COLUMNS] as const;

/** The lines that follow the answer. */
export function linesOf(
  result: AgainstResult,
  { paint, width, hasLegend }: TablePrint,
): readonly string[] {
  const { gates } = result;
  const rows = gates.map((gate) => [gate.word, ...rowOf(gate)]);
  return [
    ...table(
      TABLE.map((column, at) => ({
        title: column === "word" ? "verdict" : column,
        cells: rows.map((row) => row[at]!),
        isNumber: at > 1,
      })),
      paint,
      (row, column) => (column === 0 ? TONES[gates[row]!.word] : null),
      { width, named: 2 },
    ),
    "",
    ...(hasLegend ? LEGEND : []),
    designInWords(result),
    `${questionInWords(result)}${lookText(result)}`,
    `base  ${versionInWords(result.base)}`,
    `head  ${versionInWords(result.head)}`,
  ];
}

/** With --until: after how many pairs each gate was decided. */
function lookText({ gates }: AgainstResult): string {
  const decided = gates.flatMap((gate) =>
    gate.boundaries.length === 0 || gate.decidedAt === null
      ? []
      : [`${nameOf(gate)} after ${gate.decidedAt} pairs`],
  );
  return decided.length === 0 ? "" : `; decided: ${decided.join(", ")}`;
}

const LEGEND: readonly string[] = [
  "base, head: medians of all repeats after the warm-up",
  "change, likely from, to: head over base, estimated from the pairs, and how far chance takes it",
  "p: how often flipping base and head within pairs sets them as far apart; not corrected for the number of gates",
  "finds from: the least change that this run would have found 95 times of 100",
];

/** The blocks that follow the answer. */
export function markdownOf(result: AgainstResult): string {
  const { gates, warnings, machine, base, head } = result;
  const row = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(" | ")} |`;
  const table = [
    `| | ${COLUMNS.join(" | ")} |`,
    `| --- | --- | ${COLUMNS.slice(1)
      .map(() => "---:")
      .join(" | ")} |`,
    ...gates.map((gate) => row([gate.word, ...rowOf(gate)])),
  ];
  const others = warnings.filter((warning) => warning !== machine.busy);
  return [
    table.join("\n"),
    ...(others.length === 0
      ? []
      : [others.map((warning) => `> ${escapeMarkdown(warning)}`).join("\n>\n")]),
    [
      designInWords(result),
      `${questionInWords(result)}${lookText(result)}`,
      `Base: ${versionInWords(base)}`,
      `Head: ${versionInWords(head)}`,
    ]
      .map((text) => `${escapeMarkdown(text)}.`)
      .join("<br>\n"),
  ].join("\n\n");
}
