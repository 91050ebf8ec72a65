// The result of weir diff as part of a report page.
import type { DatedFigure } from "../../lab/report/measured-figures.ts";
import type { MeasuredPart, MeasuredSection, MeasuredTable } from "../../lab/report/measured.ts";
import type { DiffResult, DiffRow } from "../../studies/diff/result.ts";
import { windowColumns, worstColumns } from "../../studies/diff/effects-text.ts";
import { rowColumns, sourceText } from "../../studies/diff/text.ts";
import { thousands } from "../../kit/reading/legible.ts";
import type { TableColumn } from "../../kit/reading/table.ts";
import { binsOf } from "./bins.ts";
import { countsFigure, sumBins } from "./refused-over-time.ts";
import { leadWithAnswer } from "../answers/answer.ts";
import { sideSection } from "./side-section.ts";
import { doubtsOf, lineOf, logFacts, tableOf } from "./words.ts";

const MOST_BINS = 300;

export function diffPart(
  document: DiffResult,
  problems: readonly string[],
  argv: readonly string[],
): MeasuredPart {
  const { answer, before, after, changedClients, changedEndpoints, changes, logs } = document;
  const part: MeasuredPart = {
    title: `Two configurations on ${document.traffic === undefined ? "the requests of a log" : "planned requests"}`,
    headline: "",
    word: document.isInterrupted ? "partial" : null,
    doubts: doubtsOf(problems),
    summary: sourceText(document).map((line) => lineOf(line.replace(/\.?$/, "."))),
    sections: [
      rowsSection("Clients with other decisions", "client", changedClients),
      rowsSection("Endpoints with other decisions", "endpoint", changedEndpoints),
      changesSection(document),
      effectsSection(
        `Most that is admitted of this ${document.traffic === undefined ? "log" : "traffic"}`,
        windowColumns(document.windows),
        1,
      ),
      effectsSection("Worst case of each limit", worstColumns(document.worst), 3),
      changes.length === 0
        ? null
        : {
            title: "Changed statements",
            notes: changes.map(({ file, line, text }) => lineOf(`${file}:${line} ${text}`)),
            figures: [],
            tables: [],
          },
      sideSection(`Before: ${before.name}`, before),
      sideSection(`After: ${after.name}`, after),
    ].flatMap((section) => section ?? []),
    facts: logFacts(logs, argv),
  };
  return leadWithAnswer(part, answer);
}

const effectsSection = (
  title: string,
  columns: readonly TableColumn[],
  named: MeasuredTable["names"],
): MeasuredSection | null =>
  columns[0]!.cells.length === 0
    ? null
    : { title, notes: [], figures: [], tables: [tableOf(columns, named)] };

/** Refused requests over time, before and after on one scale. */
function changesSection({
  overTime,
  refusedBefore,
  refusedAfter,
}: DiffResult): MeasuredSection | null {
  if (refusedBefore + refusedAfter === 0) return null;
  const { stepSeconds, refusedBefore: before, refusedAfter: after } = overTime;
  const timesUs = overTime.startAt.map((at) => Date.parse(at) * 1000);
  const bins = binsOf(timesUs[0]!, timesUs.at(-1)!, MOST_BINS, stepSeconds);
  const [first, second] = [before, after].map((counts) => sumBins(bins, timesUs, counts)) as [
    readonly number[],
    readonly number[],
  ];
  const top = Math.max(1, ...first, ...second);
  const figure = (title: string, values: readonly number[]): DatedFigure =>
    countsFigure(bins, { title, what: "refused", values, top });
  return {
    title: "Refused over time",
    notes: ["Both charts have one scale."],
    figures: [
      figure(`Before: ${thousands(refusedBefore)} refused`, first),
      figure(`After: ${thousands(refusedAfter)} refused`, second),
    ],
    tables: [],
  };
}

const rowsSection = (
  title: string,
  what: string,
  rows: readonly DiffRow[],
): MeasuredSection | null =>
  rows.length === 0
    ? null
    : { title, notes: [], figures: [], tables: [tableOf(rowColumns(what, rows), 1)] };
