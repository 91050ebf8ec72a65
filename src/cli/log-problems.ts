// Reports problems that make a result from logs wrong: unreadable lines, and logs that were cut off.
import { formatIn } from "../studies/replay/formats.ts";
import { logTitle } from "../studies/replay/log-file.ts";
import { lineNoun } from "../studies/replay/row-format.ts";
import type { ReplayedLog } from "../studies/replay/result.ts";

/** The largest share of unreadable lines in a log that does not yet make its counts wrong. */
const MOST_LOST = 0.01;

export function problemsOfLog(log: ReplayedLog): readonly string[] {
  const { format, lines, unreadable, cut } = log;
  const file = logTitle(log.file);
  const problems: string[] = [];
  if (cut !== null) problems.push(`${file}: ${cut}; the requests before that are counted`);
  if (unreadable > MOST_LOST * lines)
    problems.push(
      lineNoun(format) === "row"
        ? `${file}: ${shareText(unreadable, lines, "row")} have no time that can be read; select the others, or give it as a timestamp, by --sql. The first are ${examplesText(log.unreadableExamples, file)}`
        : `${file}: ${shareText(unreadable, lines)} cannot be read as ${format}${otherFormat(log)}; name the format with --format, or repair the log. The first are ${examplesText(log.unreadableExamples, file)}`,
    );
  return problems;
}

/** Names the format of the first unreadable line, if it has one. Empty for anonymous results, which have no lines. */
function otherFormat({ unreadableExamples, format }: ReplayedLog): string {
  const text = unreadableExamples[0]?.text ?? null;
  const other = text === null ? null : formatIn([text]);
  return other === null || other.name === format ? "" : `, and some of them are ${other.name}`;
}

const LONGEST_EXAMPLE = 60;

const shareText = (some: number, all: number, noun: "row" | "line" = "line"): string =>
  `${some.toLocaleString("en-US")} of ${all.toLocaleString("en-US")} ${noun}s (${((100 * some) / all).toFixed(1)} %)`;

const examplesText = (examples: ReplayedLog["unreadableExamples"], file: string): string =>
  examples
    .map(
      ({ line, text }) =>
        `${file}:${line}${text === null ? "" : ` ${text.slice(0, LONGEST_EXAMPLE)}`}`,
    )
    .join(" | ");
