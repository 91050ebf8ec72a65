// `weir worst --config`: the most that each limit in the file of another limiter admits in any window.
import { isFailure } from "../kit/reading/failure.ts";
import { cut, oneLine, thousands } from "../kit/reading/legible.ts";
import { perWords } from "../kit/reading/periods.ts";
import { table, type TableColumn } from "../kit/reading/table.ts";
import { buildWorstOfFile, type WorstLimit } from "../studies/diff/worst-of-file.ts";
import { addAnswer } from "../show/answers/answer.ts";
import { answerWorstOfFile } from "../show/answers/worst-of-file.ts";
import { printAnswer } from "./answer-text.ts";
import type { Action } from "./arguments.ts";
import { configurationQuestion, readEditable } from "./configuration-file.node.ts";
import { EXIT } from "./exit.ts";
import { readFleet } from "./fleet-option.node.ts";
import { reportProblems } from "./terminal.ts";

/** Flags that give a limit, which a file has itself. */
const OF_A_LIMIT = new Set(["rate", "per", "burst", "algorithm", "profile"]);
const OWN_FLAGS = new Set(["config", "set", "fleet"]);

export const worstOfConfig: Action = (args, terminal, refuse) => {
  const { values, switches } = args;
  const other = [...values.keys()].find((name) => !OWN_FLAGS.has(name));
  if (other !== undefined)
    return refuse(
      OF_A_LIMIT.has(other)
        ? `--${other} and --config do not go together: a file has its own limits; remove one of them`
        : `--config takes no --${other}: limits of a file are tried by fixed patterns of sending, so that nothing is searched or replayed`,
    );
  const typed = values.get("fleet");
  const fleet = typed === undefined ? undefined : readFleet(typed);
  if (isFailure(fleet)) return refuse(fleet.message);
  const question = configurationQuestion(args, (line) => terminal.err(`weir worst: ${line}`));
  if (isFailure(question)) return refuse(question.message);
  const read = readEditable(values.get("config")!, question);
  if (isFailure(read)) {
    reportProblems(terminal, "worst", read.problems);
    return EXIT.usage;
  }
  const result = addAnswer(buildWorstOfFile(read.candidate, fleet), answerWorstOfFile);
  if (switches.has("json")) terminal.out(JSON.stringify(result, null, 2));
  else {
    printAnswer(result.answer, terminal);
    const fit = { width: terminal.tableColumns, named: 2 };
    for (const line of table(columnsOf(result.limits), terminal.paint, undefined, fit))
      terminal.out(line);
  }
  return EXIT.passed;
};

const columnsOf = (limits: readonly WorstLimit[]): readonly TableColumn[] => [
  { title: "limit", cells: limits.map(({ written }) => cut(oneLine(written))), isNumber: false },
  { title: "rule", cells: limits.map(({ rule }) => cut(oneLine(rule))), isNumber: false },
  {
    title: "at worst",
    cells: limits.map(({ most }) => (most === null ? "not searched" : thousands(most))),
    isNumber: true,
  },
  { title: "in any", cells: limits.map(({ perUs }) => perWords(perUs)), isNumber: false },
  {
    title: "place",
    cells: limits.map(({ file, line }) => oneLine(`${file}:${line}`)),
    isNumber: false,
  },
];
