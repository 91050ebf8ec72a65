// The result of weir diff as part of a report page.
import type { MeasuredPart, MeasuredSection } from "../../lab/report/measured.ts";
import type { DiffResult, DiffRow } from "../../studies/diff/result.ts";
import { sizeText } from "../../studies/replay/text.ts";
import { rowColumns } from "../../studies/diff/text.ts";
import { leadWithAnswer } from "../answers/answer.ts";
import { sideSection } from "./side-section.ts";
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
      sideSection(`Before: ${before.name}`, before),
      sideSection(`After: ${after.name}`, after),
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
