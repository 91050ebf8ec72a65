// Prints the answer of a command before its tables.
import { oneLine } from "../kit/reading/legible.ts";
import type { Answer } from "../lab/report/answer.ts";
import { wrap, type Terminal } from "./terminal.ts";

/** Prints a sentence on each line, the first one strong, and an empty line after them. */
export function printAnswer(
  answer: Answer,
  { out, paint, tableColumns }: Pick<Terminal, "out" | "paint" | "tableColumns">,
): void {
  for (const [at, { text }] of answer.entries())
    for (const line of wrap(oneLine(text), tableColumns))
      out(at === 0 ? paint("strong", line) : line);
  if (answer.length > 0) out("");
}
