// Prints the answer of a command before its tables.
import { oneLine } from "../kit/reading/legible.ts";
import type { Answer } from "../lab/report/answer.ts";
import { wrap, type Terminal } from "./terminal.ts";

/** A sentence on each line, the first one strong. */
export const answerLines = (
  answer: Answer,
  { paint, tableColumns }: Pick<Terminal, "paint" | "tableColumns">,
): readonly string[] =>
  answer.flatMap(({ text }, at) =>
    wrap(oneLine(text), tableColumns).map((line) => (at === 0 ? paint("strong", line) : line)),
  );

/** Prints the lines of an answer, and an empty line after them. */
export function printAnswer(
  answer: Answer,
  { out, ...terminal }: Pick<Terminal, "out" | "paint" | "tableColumns">,
): void {
  for (const line of answerLines(answer, terminal)) out(line);
  if (answer.length > 0) out("");
}
