// The result of weir diff as part of a report page.
import type { MeasuredPart, MeasuredSection } from "../../lab/report/measured.ts";
import type { DiffResult, DiffRow, DiffSide } from "../../studies/diff/result.ts";
import { sizeText } from "../../studies/replay/text.ts";
import { doubtsOfSide, rowColumns } from "../../studies/diff/text.ts";
import type { TableColumn } from "../../kit/reading/table.ts";
import { thousands } from "../../kit/reading/legible.ts";
import { leadWithAnswer } from "../answers/answer.ts";
import { doubtsOf, lineOf, logFacts, tableOf } from "./words.ts";

export function diffPart(
  document: DiffResult,
  problems: readonly string[],
  argv: readonly string[],
): MeasuredPart {
  const { answer, before, after, changedClients, changedEndpoints, changes, logs } = document;
  const part: MeasuredPart = {
    title: "Two configurations on the requests of a log",
    headline: "",
    word: document.isInterrupted ? "partial" : null,
    doubts: doubtsOf(problems),
    summary: [`${lineOf(sizeText(document))}.`],
    sections: [
      rowsSection("Clients with other decisions", "client", changedClients),
      rowsSection("Endpoints with other decisions", "endpoint", changedEndpoints),
      changes.length === 0
        ? null
        : {
            title: "Changed statements",
            notes: changes.map(({ file, line, text }) => lineOf(`${file}:${line} ${text}`)),
            figures: [],
            tables: [],
          },
      sideSection("Before", before),
      sideSection("After", after),
    ].flatMap((section) => section ?? []),
    facts: logFacts(logs, argv),
  };
  return leadWithAnswer(part, answer);
}

const rowsSection = (
  title: string,
  what: string,
  rows: readonly DiffRow[],
): MeasuredSection | null =>
  rows.length === 0
    ? null
    : { title, notes: [], figures: [], tables: [tableOf(rowColumns(what, rows), 1)] };

function sideSection(when: string, side: DiffSide): MeasuredSection {
  const { name, kind, rules } = side;
  const column = (
    title: string,
    of: (rule: DiffSide["rules"][number]) => string,
    isNumber = false,
  ): TableColumn => ({ title, cells: rules.map(of), isNumber });
  const columns = [
    column("limit", ({ limit }) => limit),
    column("rule", ({ rule }) => rule),
    column("place", ({ file, line }) => `${file}:${line}`),
    column("counted requests", ({ counted }) => thousands(counted), true),
  ];
  return {
    title: lineOf(`${when}: ${name} (${kind})`),
    notes: doubtsOfSide(side).map(lineOf),
    figures: [],
    tables: rules.length === 0 ? [] : [tableOf(columns, 3)],
  };
}
