// Compares two results of weir bench.
import {
  checkComparable,
  reportLeftOut,
  oneProcessEach,
} from "../studies/bench/compare/comparable.ts";
import { compare } from "../studies/bench/compare/compare.ts";
import { markdownOf } from "../studies/bench/compare/markdown.ts";
import { linesOf } from "../studies/bench/compare/text.ts";
import { comparePart } from "../studies/bench/report/compare-part.ts";
import { readResult, type BenchResult } from "../studies/bench/result.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { removeFiles, pageProblem } from "./html-option.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import { questionOf } from "./compare-question.ts";
import { readText } from "../kit/reading/text-file.node.ts";
import { TONES } from "../studies/bench/compare/phrases.ts";
import { warn } from "./terminal.ts";

export const compareRuns: Action = async ({ operands, switches, values }, terminal, refuse) => {
  const { out, err, paint } = terminal;
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
  for (const one of read) if (isFailure(one)) err(paint("bad", one.message));
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
    oneProcessEach(),
    ...obstacles.map((obstacle) => `compared by force: ${obstacle}`),
    ...warnings,
    ...reportLeftOut(leftOut).map(
      (line) => `${isForced ? "compared by force" : "left out"}: ${line}`,
    ),
  ];
  const comparison = compare(base, head, question, lines, isForced ? {} : { leftOut });
  if (switches.has("markdown")) out(markdownOf(comparison));
  else if (switches.has("json")) out(JSON.stringify(comparison, null, 2));
  else {
    for (const warning of lines) warn(terminal, warning);
    const all = switches.has("verbose");
    for (const line of linesOf(comparison, (word, text) => paint(TONES[word], text), { all }))
      out(line);
  }
  // The exit code ignores the comparison: a build must not fail because one run happened to get a slower process.
  if (page === undefined) return EXIT.passed;
  const { writePage } = await import("./page-file.node.ts");
  const content = { run: null, measured: [comparePart(comparison)] };
  const isWritten = await writePage(page, content, false, terminal);
  return isWritten ? EXIT.passed : EXIT.usage;
};

function resultIn(file: string): BenchResult | Failure {
  const read = readText(file);
  if (isFailure(read)) return read;
  const result = readResult(read);
  return isFailure(result) ? new Failure(`${file}: ${result.message}`) : result;
}
