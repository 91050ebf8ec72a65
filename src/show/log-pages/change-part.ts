// The result of weir recommend --config as part of a report page.
import { cut, oneLine, thousands } from "../../kit/reading/legible.ts";
import { perWords } from "../../kit/reading/periods.ts";
import type { TableColumn } from "../../kit/reading/table.ts";
import type { MeasuredPart, MeasuredSection } from "../../lab/report/measured.ts";
import type { ChangeResult } from "../../studies/diff/change-result.ts";
import { sizeText } from "../../studies/replay/text.ts";
import { leadWithAnswer } from "../answers/answer.ts";
import { sideSection } from "./side-section.ts";
import { doubtsOf, lineOf, logFacts, tableOf } from "./words.ts";

/** The times of the first and of the last request. */
export type ChangeSpan = Pick<Parameters<typeof sizeText>[0], "firstAt" | "lastAt">;

export function changePart(
  document: ChangeResult,
  span: ChangeSpan,
  problems: readonly string[],
  argv: readonly string[],
): MeasuredPart {
  const { answer, configuration, logs } = document;
  const part: MeasuredPart = {
    title: "The smallest change of a configuration",
    headline: "",
    word: null,
    doubts: doubtsOf(problems),
    summary: [`${lineOf(sizeText({ ...document, ...span }))}.`],
    sections: [
      ...changeSections(document),
      sideSection(`Present limits: ${configuration.name}`, configuration),
    ],
    facts: logFacts(logs, argv),
  };
  return leadWithAnswer(part, answer);
}

type Change = ChangeResult["changes"][number];

function changeSections({ changes, patch }: ChangeResult): readonly MeasuredSection[] {
  if (patch === null) return [];
  const column = (
    title: string,
    of: (change: Change) => string,
    isNumber = false,
  ): TableColumn => ({
    title,
    cells: changes.map((change) => cut(oneLine(of(change)))),
    isNumber,
  });
  const columns = [
    column("place", ({ file, line }) => `${file}:${line}`),
    column("rule", ({ rule }) => rule),
    column("number", ({ name, what }) => name || what),
    column("now", ({ from, unit }) => `${from}${unit}`, true),
    column("write", ({ to, unit }) => `${to}${unit}`, true),
    column("a sender gets at worst", ({ most, perUs }) =>
      most === null ? "not searched" : `${thousands(most)} in any ${perWords(perUs)}`,
    ),
  ];
  return [
    { title: "Numbers to write", notes: [], figures: [], tables: [tableOf(columns, 2)] },
    {
      title: "Patch",
      notes: patch.trimEnd().split("\n").map(lineOf),
      figures: [],
      tables: [],
    },
  ];
}
