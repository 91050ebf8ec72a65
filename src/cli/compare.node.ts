// Compares two results of weir bench.
import { checkComparable, reportLeftOut } from "../studies/bench/compare/comparable.ts";
import { BY_FORCE } from "../studies/bench/compare/comparison.ts";
import { compare } from "../studies/bench/compare/compare.ts";
import { markdownOf } from "../studies/bench/compare/markdown.ts";
import { linesOf } from "../studies/bench/compare/text.ts";
import { comparePart } from "../studies/bench/report/compare-part.ts";
import { readResult, type BenchResult } from "../studies/bench/result.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { addAnswer, answerMarkdown, leadWithAnswer } from "../show/answers/answer.ts";
import { answerCompare } from "../show/answers/compare.ts";
import { printAnswer } from "./answer-text.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { removeFiles, pageProblem } from "./html-option.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import { questionOf } from "./compare-question.ts";
import { readText } from "../kit/reading/text-file.node.ts";
import { reportProblems, warn } from "./terminal.ts";

export const compareRuns: Action = async ({ operands, switches, values }, terminal, refuse) => {
  const { out, err, paint, tableColumns } = terminal;
  const seed = seedOf(values);
  if (isFailure(seed)) return refuse(seed.message);
  const wanted = questionOf(values);
  if (isFailure(wanted)) return refuse(wanted.message);
  const question = { ...wanted, seed };
  if (switches.has("json") && switches.has("markdown"))
    return refuse("--json and --markdown are two ways to print it; choose one");
  const page = values.get("html");
  const problem = page === undefined ? null : pageProblem(page, operands);
  if (problem !== null) return refuse(problem);
  const read = operands.map(resultIn);
  for (const one of read) if (isFailure(one)) reportProblems(terminal, "compare", one.problems);
  const [base, head] = read.filter((one): one is BenchResult => !isFailure(one));
  if (base === undefined || head === undefined) return EXIT.usage;

  const isForced = switches.has("force");
  const { obstacles, warnings, leftOut } = checkComparable(base, head);
  if (obstacles.length > 0 && !isForced) {
    for (const obstacle of obstacles) err(paint("bad", obstacle));
    err("these results are not comparable; --force compares them anyway");
    return EXIT.usage;
  }
  const outputProblem = page === undefined ? null : removeFiles(page);
  if (outputProblem !== null) return refuse(outputProblem);
  const lines = [
    ...obstacles.map((obstacle) => `${BY_FORCE}${obstacle}`),
    ...warnings,
    ...reportLeftOut(leftOut).map((line) => `${isForced ? BY_FORCE : "left out: "}${line}`),
  ];
  const comparison = compare(base, head, question, lines, isForced ? {} : { leftOut });
  const answer = answerCompare(comparison);
  if (switches.has("markdown")) out(`${answerMarkdown(answer)}\n\n${markdownOf(comparison)}`);
  else if (switches.has("json")) out(JSON.stringify(addAnswer(comparison, answerCompare), null, 2));
  else {
    printAnswer(answer, terminal);
    const print = {
      paint,
      width: tableColumns,
      hasLegend: switches.has("legend"),
      isVerbose: switches.has("verbose"),
    };
    for (const line of linesOf(comparison, print)) out(line);
    for (const warning of lines) warn(terminal, warning);
  }
  // The exit code ignores the comparison: a build must not fail because one run happened to get a slower process.
  if (page === undefined) return EXIT.passed;
  const { writePage } = await import("./page-file.node.ts");
  const content = { run: null, measured: [leadWithAnswer(comparePart(comparison), answer)] };
  const isWritten = await writePage(page, content, false, terminal);
  return isWritten ? EXIT.passed : EXIT.usage;
};

function resultIn(file: string): BenchResult | Failure {
  const read = readText(file);
  if (isFailure(read)) return read;
  const result = readResult(read);
  return isFailure(result) ? new Failure(`${file}: ${result.message}`) : result;
}
