// `weir diff`: which requests of access logs a new configuration would refuse that the old one admits.
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { oneLine } from "../kit/reading/legible.ts";
import { AS_LOGGED, placementsFrom } from "../studies/replay/placements.ts";
import { NameTable } from "../studies/replay/names.ts";
import { readLogs } from "../studies/replay/replay-logs.node.ts";
import { onFleet, type Fleet } from "../studies/replay/fleet.ts";
import { parseKey, selectorText } from "../studies/replay/selectors.ts";
import type { Candidate } from "../studies/replay/candidates.ts";
import type { LogQuestion } from "../studies/replay/requests.ts";
import { DecideBoth } from "../studies/diff/decide-both.ts";
import type { DiffPair } from "../studies/diff/pair.ts";
import { buildDiffResult, type DiffResult } from "../studies/diff/result.ts";
import { diffMarkdown } from "../studies/diff/markdown.ts";
import { diffText } from "../studies/diff/text.ts";
import { addAnswer, answerMarkdown } from "../show/answers/answer.ts";
import { answerDiff } from "../show/answers/diff.ts";
import { annotationLine } from "../show/ci/annotations.ts";
import { diffPart } from "../show/log-pages/diff-part.ts";
import { printAnswer } from "./answer-text.ts";
import { countIn, shareIn, type Action, type Arguments } from "./arguments.ts";
import {
  configurationQuestion,
  fieldsOfCandidate,
  readConfiguration,
  readGitConfiguration,
} from "./configuration-file.node.ts";
import { EXIT } from "./exit.ts";
import { readFleet } from "./fleet-option.node.ts";
import { pageProblem, removeFiles } from "./html-option.node.ts";
import { interruption } from "./interruption.node.ts";
import { problemsOfLog } from "./log-problems.ts";
import { placeInRepository, reportToServer } from "./output-files.node.ts";
import { codeOfUnread, sourcesNamed } from "./log-sources.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import { conditionsIn, formatNamed, zoneIn } from "./replay-question.ts";
import { reportProblems } from "./terminal.ts";

const USUAL_TOP = 10;
const MOST_TOP = 1_000_000;

export const diff: Action = async (args, terminal, refuse) => {
  const { values, switches, lists } = args;
  const seed = seedOf(values);
  if (isFailure(seed)) return refuse(seed.message);
  const top = countIn(values, "top", MOST_TOP);
  if (isFailure(top)) return refuse(top.message);
  const lostAtMost = shareIn(values, "refuse-at-most", 1);
  if (isFailure(lostAtMost)) return refuse(lostAtMost.message);
  const losersAtMost = shareIn(values, "clients-at-most", 1);
  if (isFailure(losersAtMost)) return refuse(losersAtMost.message);
  if (switches.has("json") && switches.has("markdown"))
    return refuse("--json and --markdown are two ways to print it; choose one");
  const page = values.get("html");
  const pageless = page === undefined ? null : pageProblem(page, args.operands);
  if (pageless !== null) return refuse(pageless);
  const revisions = lists.get("git") ?? [];
  if (args.operands.length + revisions.length !== 2)
    return refuse("two configurations are needed, OLD and NEW; --git REV:FILE is one of them");
  const logs = lists.get("log") ?? [];
  if (logs.length === 0) return refuse("--log is needed, such as --log access.log");
  const pair = pairIn(args, (line) => terminal.err(`weir diff: ${line}`));
  if (isFailure(pair)) {
    reportProblems(terminal, "diff", pair.problems);
    return EXIT.usage;
  }
  const question = questionOf(args, pair);
  if (isFailure(question)) return refuse(question.message);
  const sources = sourcesNamed(logs);
  if (isFailure(sources)) return refuse(sources.message);
  const notRemoved = page === undefined ? null : removeFiles(page);
  if (notRemoved !== null) return refuse(notRemoved);
  const { stop, isWanted } = interruption();
  let decided: DecideBoth | null = null;
  let isWhole = false;
  const outcome = await readLogs(
    sources,
    question,
    (isWholeSeconds) => {
      isWhole = isWholeSeconds;
      return (decided = new DecideBoth(
        pair,
        question,
        isWholeSeconds ? placementsFrom(seed)[0]! : AS_LOGGED,
      ));
    },
    {
      isStopped: isWanted,
      stop,
      report: (lines) => terminal.status(`${lines.toLocaleString("en-US")} lines`),
    },
  );
  terminal.status("");
  // Closes stdin, because a pending read would keep the process alive.
  if (isWanted() && logs.includes("-")) process.stdin.destroy();
  if (isFailure(outcome)) {
    for (const problem of outcome.problems) terminal.err(oneLine(`weir diff: ${problem}`));
    return codeOfUnread(outcome, isWanted());
  }
  const result: DiffResult = addAnswer(
    buildDiffResult({
      ...outcome,
      pair,
      decided: decided!,
      key: values.get("key") ?? "ip",
      clientNames: question.clients.names,
      targetNames: question.targets?.names ?? [],
      isWholeSeconds: isWhole,
      isInterrupted: isWanted(),
      top: top ?? USUAL_TOP,
    }),
    answerDiff,
  );
  if (switches.has("json")) terminal.out(JSON.stringify(result, null, 2));
  else if (switches.has("markdown")) terminal.out(commentOf(result));
  else {
    printAnswer(result.answer, terminal);
    for (const line of diffText(result, terminal.paint, terminal.tableColumns)) terminal.out(line);
  }
  const problems = [
    ...result.logs.flatMap(problemsOfLog),
    ...(result.isInterrupted
      ? ["interrupted; the result has only the lines that were read until then"]
      : []),
  ];
  for (const problem of problems) terminal.err(oneLine(`weir diff: ${problem}`));
  const isBeyond =
    result.lost > lostAtMost * result.requests || result.losers > losersAtMost * result.clients;
  const unreported = reportToServer(
    () => commentOf(result),
    () => annotationsOf(result, isBeyond ? "error" : "warning", revisions.length === 2),
    terminal.err,
  );
  if (unreported !== null) terminal.err(unreported);
  if (page !== undefined) {
    const part = diffPart(result, problems, process.argv.slice(2));
    const { writePage } = await import("./page-file.node.ts");
    const content = { run: null, measured: [part] };
    if (!(await writePage(page, content, false, terminal))) return EXIT.usage;
  }
  if (result.isInterrupted) return EXIT.interrupted;
  if (problems.length > 0 || result.requests === 0 || unreported !== null) return EXIT.usage;
  return isBeyond ? EXIT.regressed : EXIT.passed;
};

const commentOf = (result: DiffResult): string =>
  `${answerMarkdown(result.answer)}\n\n${diffMarkdown(result)}`;

/** GitHub shows ten annotations of a step. */
const MOST_ANNOTATIONS = 10;

/** One line for each statement that changed, if requests are lost; where none did, for the first rule. */
function annotationsOf(
  { lost, answer, changes, after }: DiffResult,
  level: "error" | "warning",
  isOfRevision: boolean,
): readonly string[] {
  if (lost === 0) return [];
  const places = changes.length > 0 ? changes : after.rules.slice(0, 1);
  return places.slice(0, MOST_ANNOTATIONS).map(({ file, line }) =>
    annotationLine(
      level,
      {
        file: placeInRepository(isOfRevision ? file.slice(file.indexOf(":") + 1) : file),
        line: `${line}`,
        title: "weir diff",
      },
      answer[0]!.text,
    ),
  );
}

function pairIn(args: Arguments, warn: (line: string) => void): DiffPair | Failure {
  const { operands, lists } = args;
  const question = configurationQuestion(args, warn);
  if (isFailure(question)) return question;
  const fleets = (lists.get("fleet") ?? []).map(readFleet);
  if (fleets.length > 2)
    return new Failure("--fleet is given more than twice; write it once, or for OLD and for NEW");
  const read = [
    ...(lists.get("git") ?? []).map((typed) => readGitConfiguration(typed, question)),
    ...operands.map((typed) => readConfiguration(typed, question)),
  ];
  const failures = [...fleets, ...read].filter(isFailure);
  if (failures.length > 0) return new Failure(...failures.flatMap(({ problems }) => problems));
  const [first, second] = fleets as readonly Fleet[];
  const [before, after] = read as readonly Candidate[] as readonly [Candidate, Candidate];
  return { before: onFleet(before, first), after: onFleet(after, second ?? first) };
}

function questionOf(
  { values, lists }: Arguments,
  { before, after }: DiffPair,
): LogQuestion | Failure {
  const key = parseKey(values.get("key") ?? "ip");
  if (isFailure(key)) return new Failure(`--key: ${key.message}`);
  const conditions = conditionsIn(lists, "where");
  if (isFailure(conditions)) return conditions;
  const format = formatNamed(values.get("format"));
  if (isFailure(format)) return format;
  const zoneUs = zoneIn(values);
  if (isFailure(zoneUs)) return zoneUs;
  const fields = [...fieldsOfCandidate(before), ...fieldsOfCandidate(after)];
  return {
    key,
    conditions,
    clients: new NameTable(),
    targets: [before, after].every(({ kind }) => kind === "limit") ? null : new NameTable(),
    sender: fields.filter(
      (each, at) => fields.findIndex((other) => selectorText(other) === selectorText(each)) === at,
    ),
    format,
    zoneUs,
  };
}
