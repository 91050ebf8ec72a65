// Renders a comparison of configurations as a comment on a pull request, which follows its answer; all lists are folded.
import { codeSpan, escapeMarkdown, markdownProse } from "../../kit/reading/legible.ts";
import type { TableColumn } from "../../kit/reading/table.ts";
import type { UnansweredDiff } from "./result.ts";
import { doubtsOfSide } from "../replay/configuration-text.ts";
import { findOtherWorst } from "./effects.ts";
import { windowColumns, worstColumns } from "./effects-text.ts";
import { rowColumns, sourceText } from "./text.ts";

export function diffMarkdown(result: UnansweredDiff): string {
  const { before, after, changes, changedClients, changedEndpoints, windows, worst } = result;
  const atWorst = findOtherWorst(worst);
  const doubts = [...doubtsOfSide(before), ...doubtsOfSide(after)];
  const blocks = [
    ...fold(
      "Clients",
      changedClients.length === 0 ? [] : [tableOf(rowColumns("client", changedClients))],
    ),
    ...fold(
      "Endpoints",
      changedEndpoints.length === 0 ? [] : [tableOf(rowColumns("endpoint", changedEndpoints))],
    ),
    ...fold("Most admitted", windows.length === 0 ? [] : [tableOf(windowColumns(windows))]),
    ...fold("Worst case", atWorst.length === 0 ? [] : [tableOf(worstColumns(atWorst))]),
    ...fold(
      "Changed statements",
      changes.map(({ file, line, text }) => `- ${codeSpan(`${file}:${line} ${text}`)}`),
    ),
    ...fold(
      "Questions, and statements that are not understood",
      [...new Set(doubts)].map((line) => `- ${markdownProse(line)}`),
    ),
    markdownProse(`${before.name} to ${after.name}: ${sourceText(result).at(-1)!}.`),
  ];
  return blocks.join("\n\n");
}

/** GitHub renders Markdown inside of `<details>` only after an empty line. */
const fold = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0
    ? []
    : [`<details><summary>${title}</summary>\n\n${lines.join("\n")}\n\n</details>`];

function tableOf(columns: readonly TableColumn[]): string {
  const rows = columns[0]!.cells.map((_, row) => columns.map(({ cells }) => cells[row]!));
  return [
    columns.map(({ title }) => title),
    columns.map(({ isNumber }) => (isNumber ? "---:" : "---")),
    ...rows.map((cells) => cells.map(escapeMarkdown)),
  ]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}
