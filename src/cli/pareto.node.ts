import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { checkout } from "../studies/bench/resources/machine.node.ts";
import { checkKnownAnswers } from "../studies/pareto/known-answers.ts";
import { mergeParts, type PartialResult } from "../studies/pareto/merge.ts";
import type { Figures } from "../studies/pareto/metrics.ts";
import type { ShareOut } from "../kit/pool.node.ts";
import { runCells } from "../studies/pareto/run-cells.node.ts";
import { readResult } from "../studies/pareto/read-result.ts";
import {
  placesIn,
  resultOf,
  textOf,
  type ParetoOrigin,
  type ParetoResult,
  type Shard,
} from "../studies/pareto/result.ts";
import { cellsOf, nameOf, type ParetoSuite } from "../studies/pareto/suite.ts";
import {
  legendOf,
  markdownOf,
  metricLines,
  originText,
  tableText,
} from "../studies/pareto/table.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { digest } from "../lab/scenario/history/digest.node.ts";
import { commandOf } from "../kit/command-line.ts";
import type { Action, Arguments, Refuse } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { removeFiles, pageProblem } from "./html-option.node.ts";
import { createFolder } from "../kit/reading/folder.node.ts";
import { interruption } from "./interruption.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import { requestOf } from "./pareto-question.ts";
import { withQueue } from "./queue-option.node.ts";
import { many } from "../kit/reading/legible.ts";
import { addAnswer, answerMarkdown, leadWithAnswer } from "../show/answers/answer.ts";
import { answerPareto } from "../show/answers/pareto.ts";
import { printAnswer } from "./answer-text.ts";
import { reportProblems, type Terminal } from "./terminal.ts";
import { readText, whyUnreadable, writeWhole } from "../kit/reading/text-file.node.ts";

export const pareto: Action = async (args, terminal, refuse) => {
  const seed = seedOf(args.values);
  if (isFailure(seed)) return refuse(seed.message);
  const wanted = requestOf(args, seed);
  if (isFailure(wanted)) return refuse(wanted.message);
  const existingFile = alreadyThere(args.values, wanted.kind === "resume" ? wanted.file : null);
  if (existingFile !== null) return refuse(existingFile);
  const [page, saved, resumed] = ["html", "out", "resume"].map((name) => args.values.get(name));
  const pageless =
    page === undefined ? null : pageProblem(page, [...args.operands, saved, resumed]);
  if (pageless !== null) return refuse(pageless);
  switch (wanted.kind) {
    case "verify":
      return verify(seed, args, terminal);
    case "merge":
      return mergeFiles(wanted.files, args, terminal);
    case "resume":
      return goneOn(wanted.file, args, terminal, refuse);
    case "run": {
      const { suite, shard, argv } = wanted;
      const origin = { suite: { hash: hashOf(suite), ...suite }, seed, commit: commit(), argv };
      const out = args.values.get("out") ?? null;
      return withQueue(args, terminal, refuse, (share) =>
        run({ origin, shard, there: new Map() }, out, args, terminal, share),
      );
    }
  }
};

/** Returns an error if the output file exists, because it may contain hours of work; null if there is none. */
function alreadyThere(values: Arguments["values"], resumed: string | null): string | null {
  const out = values.get("out");
  return out === undefined || out === resumed || !existsSync(out)
    ? null
    : `${out} already exists; --resume ${out} continues it`;
}

const hashOf = (suite: ParetoSuite): string => digest([JSON.stringify(suite)]);

/** The commit, marked if files were changed: two changed checkouts may differ. */
function commit(): string | null {
  const { commit: head, changed } = checkout();
  return changed ? `${head} and changes` : head;
}

// ---------------------------------------------------------------- a run, from its beginning or from a file

interface Begun {
  readonly origin: ParetoOrigin;
  readonly shard: Shard;
  readonly there: ReadonlyMap<number, readonly Figures[]>; // cells that an earlier run measured, by index
}

async function run(
  { origin, shard, there }: Begun,
  out: string | null,
  args: Arguments,
  terminal: Terminal,
  share: ShareOut,
): Promise<ExitCode> {
  const { err, status } = terminal;
  const { suite, seed } = origin;
  // Writes once before the work, so that a path that cannot be written is noticed early.
  const unwritten = [
    ...removePage(args),
    ...(out === null ? [] : writeResult(out, documentText(resultOf(origin, shard, there)))),
  ];
  if (unwritten.length > 0) {
    reportProblems(terminal, "pareto", unwritten);
    return EXIT.usage;
  }
  const figures = new Map(there);
  const names = cellsOf(suite).map(nameOf);
  const places = placesIn(suite, shard).filter((place) => !figures.has(place));
  const { stop, isWanted } = interruption();
  const started = performance.now();
  err(`${many(places.length, "cell")} of ${suite.runs} runs each, seed ${seed}`);
  await runCells(
    places,
    { suite, seed },
    (place, played) => {
      figures.set(place, played);
      status(`${figures.size - there.size} of ${many(places.length, "cell")}: ${names[place]}`);
    },
    stop,
    share,
  );
  const result = resultOf(origin, shard, figures);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  err(`${many(figures.size - there.size, "cell")} in ${seconds} s`);
  const code = await printResult(result, out, args, terminal);
  if (!isWanted() || code !== EXIT.passed) return code;
  const way =
    out === null
      ? "-o FILE would have saved it"
      : `${commandOf(["pareto", "--resume", out])} continues it`;
  err(`interrupted after ${result.footer.cells} of ${many(result.footer.of, "cell")}; ${way}`);
  return EXIT.interrupted;
}

async function goneOn(
  file: string,
  args: Arguments,
  terminal: Terminal,
  refuse: Refuse,
): Promise<ExitCode> {
  const read = resultIn(file);
  if (isFailure(read)) {
    reportProblems(terminal, "pareto", read.problems);
    return EXIT.usage;
  }
  const { suite, seed, argv, shard } = read;
  const here = commit();
  if (read.commit !== here)
    return refuse(
      `${file} was run by commit ${read.commit ?? "unknown"}, and this is ${here ?? "unknown"}: their results would not match`,
    );
  const names = cellsOf(suite).map(nameOf);
  const runsByCell = new Map(read.cells.map(({ name, runs }) => [names.indexOf(name), runs]));
  const origin = { suite, seed, commit: here, argv };
  const out = args.values.get("out") ?? file;
  return withQueue(args, terminal, refuse, (share) =>
    run({ origin, shard, there: runsByCell }, out, args, terminal, share),
  );
}

// ---------------------------------------------------------------- parts

function resultIn(file: string): ParetoResult | Failure {
  const read = readText(file);
  if (isFailure(read)) return read;
  const result = readResult(read, hashOf);
  return isFailure(result) ? new Failure(`${file}: ${result.message}`) : result;
}

const MOST_PROBLEMS = 20;

async function mergeFiles(
  files: readonly [string, ...string[]],
  args: Arguments,
  terminal: Terminal,
): Promise<ExitCode> {
  const { err } = terminal;
  const read = files.map((file) => ({ file, result: resultIn(file) }));
  const readProblems = read.flatMap(({ result }) => (isFailure(result) ? result.problems : []));
  const isPart = (one: (typeof read)[number]): one is PartialResult => !isFailure(one.result);
  const [first, ...others] = read.filter(isPart);
  const merged =
    readProblems.length > 0 || first === undefined
      ? new Failure(...readProblems)
      : mergeParts([first, ...others]);
  if (isFailure(merged)) {
    const { problems } = merged;
    reportProblems(terminal, "pareto", problems.slice(0, MOST_PROBLEMS));
    if (problems.length > MOST_PROBLEMS) err(`and ${problems.length - MOST_PROBLEMS} more`);
    return EXIT.usage;
  }
  const pageProblems = removePage(args);
  if (pageProblems.length > 0) {
    reportProblems(terminal, "pareto", pageProblems);
    return EXIT.usage;
  }
  return printResult(merged, args.values.get("out") ?? null, args, terminal);
}

// ---------------------------------------------------------------- printed and saved results

async function printResult(
  result: ParetoResult,
  out: string | null,
  { switches, values }: Arguments,
  terminal: Terminal,
): Promise<ExitCode> {
  const { out: print, err, paint } = terminal;
  const answer = answerPareto(result);
  const text = documentText(result);
  const problems: string[] = [];
  if (out !== null) problems.push(...writeResult(out, text));
  const page = values.get("html");
  if (page !== undefined) {
    const { writePage } = await import("./page-file.node.ts");
    const { paretoPart } = await import("../studies/pareto/pareto-part.ts");
    const content = { run: null, measured: [leadWithAnswer(paretoPart(result), answer)] };
    if (!(await writePage(page, content, false, terminal)))
      problems.push(`${page} was not rendered`);
  }
  if (switches.has("json")) print(text.trimEnd());
  else if (switches.has("markdown"))
    for (const line of [answerMarkdown(answer), "", ...markdownOf(result)]) print(line);
  else {
    printAnswer(answer, terminal);
    for (const line of tableText(result, paint, terminal.tableColumns)) print(line);
    print(legendOf(result));
    if (switches.has("legend")) for (const line of metricLines()) print(line);
    print(originText(result));
  }
  for (const problem of problems) err(problem);
  return problems.length === 0 ? EXIT.passed : EXIT.usage;
}

const documentText = (result: ParetoResult): string => textOf(addAnswer(result, answerPareto));

function removePage({ values }: Arguments): readonly string[] {
  const page = values.get("html");
  const problem = page === undefined ? null : removeFiles(page);
  return problem === null ? [] : [problem];
}

function writeResult(file: string, text: string): readonly string[] {
  const noFolder = createFolder(dirname(file));
  if (noFolder !== null) return [noFolder];
  try {
    writeWhole(file, text);
    return [];
  } catch (error) {
    return [`${file}: ${whyUnreadable(error)}`];
  }
}

// ---------------------------------------------------------------- known answers

function verify(seed: number, { switches }: Arguments, { out, paint }: Terminal): ExitCode {
  const answers = checkKnownAnswers(seed);
  if (switches.has("json"))
    out(JSON.stringify({ format: "weir-pareto-known/1", seed, answers }, null, 1));
  else
    for (const { id, about, expected, measured, holds } of answers) {
      out(`${holds ? paint("good", "holds") : paint("bad", "FAILS")}  ${paint("strong", id)}`);
      out(`       ${about}`);
      out(`       expected  ${expected}`);
      out(`       measured  ${measured}`);
    }
  return answers.every(({ holds }) => holds) ? EXIT.passed : EXIT.failed;
}
