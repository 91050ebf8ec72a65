// The result of a run of two versions, as lines for a terminal and as a comment for a pull request.
import type { WordPaint } from "../compare/text.ts";
import { percentOf, changePercentOf } from "../compare/phrases.ts";
import type { CompareWord } from "../compare/comparison.ts";
import { figure } from "../../../kit/reading/legible.ts";
import { timeText } from "../progress-line.ts";
import { escapeMarkdown } from "../../../kit/reading/legible.ts";
import { pairsFor } from "./pair-verdicts.ts";
import type { AgainstResult, PairedGate, Version } from "./result.ts";

const COLUMNS = ["gate", "base", "head", "change", "likely from, to", "p", "finds from"] as const;
const WORD_WIDTH = "regressed".length;

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
  Number.isFinite(least) ? percentOf(Number(least.toPrecision(2))) : "nothing";

const noteOf = ({ why, decidedAt, boundaries }: PairedGate): string | null => {
  if (why !== null) return why;
  return boundaries.length === 0 ? null : `decided after ${decidedAt} pairs`;
};

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
  `a change matters from ${percentOf(minEffect)} on; at most ${percentOf(alpha)} of runs of equal versions raise an alarm`;

const designInWords = ({ suite, pairs, design, tookSeconds }: AgainstResult): string =>
  `suite ${suite.id}: ${pairs} of ${design.until === null ? "" : "at most "}${design.pairs} pairs of fresh processes, ${design.rounds} rounds each, in ${timeText(tookSeconds)}`;

/** The smallest change that this run could have found, and the number of pairs that smaller changes need. */
function reachOf({ gates, secondsAPair }: AgainstResult): readonly string[] {
  const measured = gates.flatMap((gate) =>
    gate.evidence === null || !Number.isFinite(gate.evidence.least)
      ? []
      : [{ gate, evidence: gate.evidence }],
  );
  const coarsest = measured.toSorted((a, b) => b.evidence.least - a.evidence.least)[0];
  if (coarsest === undefined) return [];
  const { gate, evidence } = coarsest;
  const finer = WANTED.filter((wanted) => wanted < evidence.least).map((wanted) => {
    const pairs = pairsFor(evidence, wanted);
    const rounded = Number(pairs.toPrecision(2));
    return `for ${percentOf(wanted)}: about ${rounded} pairs, ${timeText(rounded * secondsAPair)}`;
  });
  return [
    `least change that this run would have found 95 times of 100: ${leastOf(evidence.least)} (${nameOf(gate)})`,
    ...(finer.length === 0 ? [] : [finer.join("; ")]),
  ];
}

/** Changes that a reader may want to find. Smaller changes also occur between two starts of equal code. */
const WANTED = [0.1, 0.05, 0.03] as const;

function headlineOf({ word, gates }: AgainstResult): string {
  const named = gates
    .filter((gate) => gate.word === word)
    .map((gate) =>
      word === "regressed" || word === "improved"
        ? `${nameOf(gate)} ${changePercentOf(gate.evidence!.ratio)}`
        : nameOf(gate),
    );
  return `${word}: ${named.join("; ")}`;
}

const WORDS: readonly CompareWord[] = ["improved", "regressed", "same", "unclear"];

const countsOf = ({ gates }: AgainstResult): string =>
  WORDS.map((word) => `${gates.filter((gate) => gate.word === word).length} ${word}`).join(", ");

export function linesOf(result: AgainstResult, paint: WordPaint): readonly string[] {
  const rows = result.gates.map(rowOf);
  const heads = COLUMNS.map((column) => (column === "gate" ? "" : column));
  const widths = heads.map((head, at) =>
    Math.max(head.length, ...rows.map((row) => row[at]!.length)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
      .join("  ");
  return [
    designInWords(result),
    `base  ${versionInWords(result.base)}`,
    `head  ${versionInWords(result.head)}`,
    questionInWords(result),
    "",
    `${" ".repeat(WORD_WIDTH)}  ${line(heads)}`,
    ...result.gates.flatMap((gate, at) => {
      const note = noteOf(gate);
      return [
        `${paint(gate.word, gate.word.padEnd(WORD_WIDTH))}  ${line(rows[at]!)}`.trimEnd(),
        ...(note === null ? [] : [`${" ".repeat(WORD_WIDTH)}    ${note}`]),
      ];
    }),
    "",
    ...reachOf(result),
    paint(result.word, headlineOf(result)),
    `gates: ${countsOf(result)}`,
  ];
}

export function markdownOf(result: AgainstResult): string {
  const { word, gates, warnings, base, head } = result;
  const notes = gates.flatMap((gate) => {
    const note = noteOf(gate);
    return note === null ? [] : [`- ${escapeMarkdown(`${nameOf(gate)}: ${note}`)}`];
  });
  const row = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(" | ")} |`;
  const table = [
    `| | ${COLUMNS.join(" | ")} |`,
    `| --- | --- | ${COLUMNS.slice(1)
      .map(() => "---:")
      .join(" | ")} |`,
    ...gates.map((gate) => row([gate.word, ...rowOf(gate)])),
  ];
  return [
    `**${word}**${escapeMarkdown(headlineOf(result)).slice(word.length)}`,
    table.join("\n"),
    ...(notes.length === 0 ? [] : [notes.join("\n")]),
    ...(warnings.length === 0
      ? []
      : [warnings.map((warning) => `> ${escapeMarkdown(warning)}`).join("\n>\n")]),
    [
      ...reachOf(result),
      `${designInWords(result)}; ${questionInWords(result)}`,
      `Base: ${versionInWords(base)}`,
      `Head: ${versionInWords(head)}`,
    ]
      .map((text) => `${escapeMarkdown(text)}.`)
      .join("<br>\n"),
  ].join("\n\n");
}
