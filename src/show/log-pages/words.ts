// Texts from logs on a page: on one line, without characters that change the text direction, and not too long.
import { portableCommand } from "../../kit/command-line.ts";
import { cut, oneLine } from "../../kit/reading/legible.ts";
import type { MeasuredPart, MeasuredTable } from "../../lab/report/measured.ts";
import type { ReplayedLog } from "../../studies/replay/result.ts";
import { logText } from "../../studies/replay/text.ts";
import type { TableColumn } from "../../kit/reading/table.ts";

const LONGEST = 240;

export const lineOf = (text: string): string => cut(oneLine(text.toWellFormed()), LONGEST);

/** The non-empty lines of terminal output, as sentences. */
export const sentencesOf = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => line !== "").map((line) => `${line[0]!.toUpperCase()}${line.slice(1)}.`);

/** The maximum number of problems shown: each of many logs may have one. */
const MOST_PROBLEMS = 10;

export const doubtsOf = (problems: readonly string[]): readonly string[] => [
  ...problems.slice(0, MOST_PROBLEMS).map(lineOf),
  ...(problems.length > MOST_PROBLEMS
    ? [`and ${problems.length - MOST_PROBLEMS} more, which the command prints`]
    : []),
];

const MOST_LOGS = 10;

/** Facts about the source of the numbers: the command and its logs. */
export const logFacts = (
  logs: readonly ReplayedLog[],
  argv: readonly string[],
): MeasuredPart["facts"] => [
  ["command", lineOf(portableCommand(argv))],
  ...logs.slice(0, MOST_LOGS).map((log) => ["log", lineOf(logText(log))] as const),
  ...(logs.length > MOST_LOGS ? [["logs", `and ${logs.length - MOST_LOGS} more`] as const] : []),
];

const NO_BREAK = "\u00A0";

/** Converts columns of a table in the terminal to a table in the page. */
export function tableOf(
  columns: readonly TableColumn[],
  names: MeasuredTable["names"],
  folded: string | null = null,
): MeasuredTable {
  const rows = columns[0]!.cells.map((_, row) =>
    columns.map(({ cells }) => lineOf(cells[row]!).replaceAll(" %", `${NO_BREAK}%`)),
  );
  return { heads: columns.map(({ title }) => title), rows, folded, names };
}
