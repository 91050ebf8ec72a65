// Prints the result of a run, and saves it as a page.
import { many } from "../kit/reading/legible.ts";
import { createHash } from "node:crypto";
import { circumstances, markdownOf } from "../studies/bench/markdown.ts";
import type { ResultPlace } from "../studies/bench/result-files.node.ts";
import type { BenchResult } from "../studies/bench/result.ts";
import { tableLines } from "../studies/bench/table.ts";
import { type Failure, isFailure } from "../kit/reading/failure.ts";
import { addAnswer, answerMarkdown } from "../show/answers/answer.ts";
import { answerBench } from "../show/answers/bench.ts";
import { printAnswer } from "./answer-text.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { warn, type Terminal } from "./terminal.ts";

export function printResult(
  result: BenchResult,
  { line }: ResultPlace,
  switches: ReadonlySet<string>,
  terminal: Terminal,
): void {
  const { out, err, paint, tableColumns } = terminal;
  const { footer, warnings, stopped, machine } = result;
  const answered = addAnswer(result, answerBench);
  const isText = !switches.has("json") && !switches.has("markdown");
  if (switches.has("json")) out(JSON.stringify(answered, null, 2));
  else if (switches.has("markdown"))
    out(`${answerMarkdown(answered.answer)}\n\n${markdownOf(result)}`);
  else {
    printAnswer(answered.answer, terminal);
    const print = { paint, width: tableColumns, hasLegend: switches.has("legend") };
    if (footer.cells > 0) for (const each of tableLines(result, print)) out(each);
    out(
      `${many(footer.repeats, "repeat")}, ${many(footer.errors, "error")}; ${circumstances(result)}`,
    );
  }
  // The answer has a sentence of a busy machine.
  for (const warning of warnings) if (!isText || warning !== machine.busy) warn(terminal, warning);
  if (stopped !== null) err(paint("bad", `stopped early: ${stopped}`));
  err(line);
}

export function reportProblems({ problems }: Failure, { err }: Terminal): ExitCode {
  for (const problem of problems) err(problem);
  return EXIT.usage;
}

/** Writes the page, if one is wanted. Returns `code`, or `usage` if the run passed but the page was not written. */
export async function renderResult(
  page: string | undefined,
  { result, code }: { readonly result: BenchResult; readonly code: ExitCode },
  file: string,
  terminal: Terminal,
): Promise<ExitCode> {
  if (page === undefined) return code;
  const { partOfBench } = await import("./page-documents.node.ts");
  const { writePage } = await import("./page-file.node.ts");
  const part = partOfBench(result, file);
  if (isFailure(part)) terminal.err(part.message);
  const isWritten =
    !isFailure(part) && (await writePage(page, { run: null, measured: [part] }, false, terminal));
  return isWritten || code !== EXIT.passed ? code : EXIT.usage;
}

export const hashOf = (parts: object): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
