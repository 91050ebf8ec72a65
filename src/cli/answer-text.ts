// Prints the answer of a command before its tables.
import { localCommand } from "../kit/command-line.ts";
import { oneLine } from "../kit/reading/legible.ts";
import type { Answer, AnswerSentence } from "../lab/report/answer.ts";
import { wrap } from "../kit/reading/table.ts";
import type { Terminal } from "./terminal.ts";

/** The text with the command as Weir was started here, so that it can be copied. */
const textOf = ({ text, command }: AnswerSentence): string =>
  command === undefined ? text : text.replaceAll(command, () => localCommand(command));

/** A sentence on each line, the first one strong. */
export const answerLines = (
  answer: Answer,
  { paint, tableColumns }: Pick<Terminal, "paint" | "tableColumns">,
): readonly string[] =>
  answer.flatMap((sentence, at) =>
    wrap(oneLine(textOf(sentence)), tableColumns).map((line) =>
      at === 0 ? paint("strong", line) : line,
    ),
  );

/** Prints the lines of an answer, and an empty line after them. */
export function printAnswer(
  answer: Answer,
  { out, ...terminal }: Pick<Terminal, "out" | "paint" | "tableColumns">,
): void {
  for (const line of answerLines(answer, terminal)) out(line);
  if (answer.length > 0) out("");
}
