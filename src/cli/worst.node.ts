import { existsSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { microsToSeconds } from "../kit/units.ts";
import type { WorstCaseQuestion } from "../studies/worst/question.ts";
import { computeByThreads } from "../studies/worst/compute-pieces.node.ts";
import { findWorstCase, type WorstCase } from "../studies/worst/worst.ts";
import { isFailure } from "../kit/reading/failure.ts";
import { commandOf } from "../kit/command-line.ts";
import type { ShareOut } from "../kit/pool.node.ts";
import type { Action, Arguments } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { interruption } from "./interruption.node.ts";
import { createFolder, whyUnwritable } from "../kit/reading/folder.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import { withQueue } from "./queue-option.node.ts";
import type { Terminal } from "./terminal.ts";
import { whyUnreadable } from "../kit/reading/text-file.node.ts";
import { budgetOf, questionOf } from "./worst-question.ts";

/** The work of an ordinary machine in a second, in units of the search. */
const UNITS_A_SECOND = 2_000;

export const worstCase: Action = async (args, terminal, refuse) => {
  const { values } = args;
  const seed = seedOf(values);
  if (isFailure(seed)) return refuse(seed.message);
  const question = questionOf(values);
  if (isFailure(question)) return refuse(question.message);
  const budgetUs = budgetOf(values);
  if (isFailure(budgetUs)) return refuse(budgetUs.message);
  const file = values.get("out");
  if (file !== undefined && existsSync(file)) {
    terminal.err(`${file} already exists; choose another file`);
    return EXIT.usage;
  }
  const unwritable = whyUnwritable(file);
  if (unwritable !== null) return refuse(unwritable);

  const units = UNITS_A_SECOND * microsToSeconds(budgetUs);
  const search = async (share: ShareOut): Promise<ExitCode> => {
    const answer = await findWorstCase(question, {
      seed,
      units,
      progress: (patterns, most) =>
        terminal.status(`${patterns} patterns, ${most} in a window so far`),
      compute: computeByThreads({ question, seed, units }, interruption().stop, share),
    });
    if (answer === "stopped") return EXIT.interrupted;
    if (isFailure(answer)) return refuse(answer.message);
    return printWorstCase({ question, seed }, answer, args, terminal);
  };
  return withQueue(args, terminal, refuse, search, "workers"); // --queue is that of a leaky bucket
};

interface SeededQuestion {
  readonly question: WorstCaseQuestion;
  readonly seed: number;
}

function printWorstCase(
  { question, seed }: SeededQuestion,
  answer: WorstCase,
  { switches, values }: Arguments,
  { out, err, paint }: Terminal,
): ExitCode {
  const { sentences, comparison, text } = answer;
  const file = values.get("out");
  const fault = file === undefined ? null : writeScenario(file, text);
  const isBad = comparison === "passed";
  for (const sentence of sentences) err(isBad ? paint("bad", sentence) : sentence);
  if (switches.has("json")) out(JSON.stringify(asJson(question, answer, seed), null, 2));
  else if (file === undefined || fault !== null) out(text.trimEnd());
  else out(`wrote ${file}; run it: ${commandOf(["run", file])}`);
  // A search can take minutes: what it found is not lost with the place for it.
  if (fault !== null) err(`${fault}; the scenario is printed instead`);
  if (isBad) return EXIT.failed;
  return fault === null ? EXIT.passed : EXIT.usage;
}

function writeScenario(file: string, text: string): string | null {
  const noFolder = createFolder(dirname(file));
  if (noFolder !== null) return noFolder;
  try {
    writeFileSync(file, text, { flag: "wx" });
    return null;
  } catch (error) {
    return `${file}: ${whyUnreadable(error)}`;
  }
}

const asJson = (
  question: WorstCaseQuestion,
  { result, clients, bound, comparison, text }: WorstCase,
  seed: number,
): unknown => ({
  format: "weir-worst/1",
  seed,
  question: {
    ...question,
    inFlight: Number.isFinite(question.inFlight) ? question.inFlight : null,
  },
  most: result.most,
  bound,
  standing: comparison,
  patterns: result.patterns,
  bursts: result.pattern.map(({ atUs, count, client }) => ({ atUs, count, as: clients[client] })),
  scenario: text,
});
