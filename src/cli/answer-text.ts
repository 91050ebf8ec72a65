// Prints the answer of a command before its tables.
import { localCommand } from "../kit/command-line.ts";
import { oneLine } from "../kit/reading/legible.ts";
import type { Answer, AnswerSentence } from "../lab/report/answer.ts";
import { wrap } from "../kit/reading/table.ts";
import type { Terminal } from "./terminal.ts";

/** The lines of a sentence. A command, as Weir was started here, is on one line, so that it can be copied. */
function linesOf({ text, command }: AnswerSentence, width: number): readonly string[] {
  if (command === undefined) return wrap(oneLine(text), width);
  const local = oneLine(localCommand(command));
  const whole = oneLine(text).replaceAll(oneLine(command), () => local.replaceAll(" ", UNBROKEN));
  return wrap(whole, width).map((line) => line.replaceAll(UNBROKEN, " "));
}

/** In place of a space at which no line ends. No text has it, because control characters are not printed. */
const UNBROKEN = "\u0001";

/** A sentence on each line, the first one strong. */
export const answerLines = (
  answer: Answer,
  { paint, tableColumns }: Pick<Terminal, "paint" | "tableColumns">,
): readonly string[] =>
  answer.flatMap((sentence, at) =>
    linesOf(sentence, tableColumns).map((line) => (at === 0 ? paint("strong", line) : line)),
  );

/** Prints the lines of an answer, and an empty line after them. */
export function printAnswer(
  answer: Answer,
  { out, ...terminal }: Pick<Terminal, "out" | "paint" | "tableColumns">,
): void {
  for (const line of answerLines(answer, terminal)) out(line);
  if (answer.length > 0) out("");
}
