// Replays access logs against limits: which clients would have been refused, when, and how often.
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { oneLine } from "../kit/reading/legible.ts";
import { readText } from "../kit/reading/text-file.node.ts";
import { logTitle } from "../studies/replay/log-file.ts";
import { replayLogs, type ReplayOutcome } from "../studies/replay/replay-logs.node.ts";
import { buildReplayResult, type ReplayResult } from "../studies/replay/result.ts";
import type { ReplayQuestion } from "../studies/replay/replay.ts";
import { selectorText } from "../studies/replay/selectors.ts";
import { hasThrottling } from "../studies/replay/worlds.ts";
import { readWorldFile } from "../gateway/settings/world.ts";
import type { Configuration } from "../limiter/core/config.ts";
import { replayText } from "../studies/replay/text.ts";
import { addAnswer } from "../show/answers/answer.ts";
import { answerReplay } from "../show/answers/replay.ts";
import { printAnswer } from "./answer-text.ts";
import { countIn, type Action, type Arguments } from "./arguments.ts";
import { readConfigured } from "./configuration-file.node.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { pageProblem, removeFiles } from "./html-option.node.ts";
import { interruption } from "./interruption.node.ts";
import { problemsOfLog } from "./log-problems.ts";
import { writePage } from "./page-file.node.ts";
import { codeOfUnread, sourcesOf } from "./log-sources.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import { renamer } from "./renamer.node.ts";
import { replayPage, type ReplayPage } from "./replay-page.node.ts";
import { withQueue } from "./queue-option.node.ts";
import { replayQuestion } from "./replay-question.ts";
import { shareReplay, whyNotShared } from "./share-replay.node.ts";
import { reportProblems, type Terminal } from "./terminal.ts";

const USUAL_TOP = 10;
const MOST_TOP = 1_000_000;

export const replay: Action = async (args, terminal, refuse) => {
  const { operands, values } = args;
  const seed = seedOf(values);
  if (isFailure(seed)) return refuse(seed.message);
  const top = countIn(values, "top", MOST_TOP);
  if (isFailure(top)) return refuse(top.message);
  const read = readWorlds(args.lists.get("world") ?? [], terminal.err);
  if (isFailure(read)) {
    reportProblems(terminal, "replay", read.problems);
    return EXIT.usage;
  }
  const { worlds, texts } = read;
  const configured = readConfigured(args, (line) => terminal.err(`weir replay: ${line}`));
  if (isFailure(configured)) {
    reportProblems(terminal, "replay", configured.problems);
    return EXIT.usage;
  }
  const question = replayQuestion(args, worlds, seed, configured);
  if (isFailure(question)) return refuse(question.message);
  const page = values.get("html");
  const pageless =
    page === undefined
      ? null
      : pageProblem(page, [
          ...operands,
          ...(args.lists.get("world") ?? []),
          ...(args.lists.get("config") ?? []),
        ]);
  if (pageless !== null) return refuse(pageless);
  const sources = sourcesOf(args);
  if (isFailure(sources)) return refuse(sources.message);
  const unshared = values.has("queue") ? whyNotShared(sources) : null;
  if (unshared !== null) return refuse(unshared);
  const notRemoved = page === undefined ? null : removeFiles(page);
  if (notRemoved !== null) return refuse(notRemoved);
  const { stop, isWanted } = interruption();
  const progress = {
    isStopped: isWanted,
    stop,
    report: (lines: number) => terminal.status(`${lines.toLocaleString("en-US")} lines`),
  };
  const ofPage = page === undefined ? null : replayPage(question, sources, progress);
  const also = ofPage?.start ?? null;
  const settings = { args, worlds: texts, seed };
  const onDone = terminal.status;
  const shared = { settings, sources, question, progress, also, onDone };
  return withQueue(args, terminal, refuse, async (share, countThreads) => {
    const outcome = values.has("queue")
      ? await shareReplay(shared, share, countThreads)
      : await replayLogs(sources, question, progress, also);
    terminal.status("");
    if (outcome === "stopped") {
      terminal.err(
        "weir replay: interrupted; the parts that are done are saved, and the same command continues after them",
      );
      return EXIT.interrupted;
    }
    return printReplay({ question, outcome, top, ofPage, isWanted }, args, terminal);
  });
};

interface ReadReplay {
  readonly question: ReplayQuestion;
  readonly outcome: ReplayOutcome | Failure;
  readonly top: number | null;
  readonly ofPage: ReplayPage | null;
  readonly isWanted: () => boolean;
}

async function printReplay(
  { question, outcome, top, ofPage, isWanted }: ReadReplay,
  args: Arguments,
  terminal: Terminal,
): Promise<ExitCode> {
  const { operands, switches, values } = args;
  const page = values.get("html");
  // Closes stdin, because a pending read would keep the process alive.
  if (isWanted() && operands.includes("-")) process.stdin.destroy();
  if (isFailure(outcome)) {
    for (const problem of outcome.problems) terminal.err(oneLine(`weir replay: ${problem}`));
    return codeOfUnread(outcome, isWanted());
  }
  const unanswered = buildReplayResult({
    ...outcome,
    key: values.get("key") ?? "ip",
    cost: costOf(question),
    clients: question.clients,
    targets: question.targets,
    isInterrupted: isWanted(),
    top: top ?? USUAL_TOP,
    rename: switches.has("anonymise") ? renamer() : null,
  });
  const result = addAnswer(unanswered, answerReplay);
  if (switches.has("json")) terminal.out(JSON.stringify(result, null, 2));
  else {
    printAnswer(result.answer, terminal);
    for (const line of replayText(result, terminal.paint, top !== null, terminal.tableColumns))
      terminal.out(line);
  }
  for (const note of absenceNotes(result)) terminal.err(oneLine(note));
  const { unread } = outcome;
  for (const skipped of result.skipped)
    if (!unread.includes(skipped)) terminal.err(oneLine(`skipped ${skipped}`));
  const problems = [
    ...unread.map((problem) => `${problem}. The result is without this file`),
    ...problemsOf(result, args),
  ];
  for (const problem of problems) terminal.err(oneLine(`weir replay: ${problem}`));
  if (page !== undefined) {
    const part = await ofPage!.part(result, outcome, problems);
    const content = { run: null, measured: [part] };
    if (!(await writePage(page, content, false, terminal))) return EXIT.usage;
  }
  if (result.isInterrupted) {
    terminal.err(
      "weir replay: interrupted; the result has only the lines that were read until then",
    );
    return EXIT.interrupted;
  }
  return problems.length > 0 ? EXIT.usage : EXIT.passed;
}

function costOf({ cost, needsDuration }: ReplayQuestion): ReplayResult["cost"] {
  if (cost === undefined) return null;
  return {
    field: cost.map(selectorText).join("+"),
    charge: needsDuration === true ? "after" : "before",
  };
}

interface ReadWorlds {
  readonly worlds: ReadonlyMap<string, Configuration>;
  readonly texts: ReadonlyMap<string, string>;
}

function readWorlds(files: readonly string[], warn: (line: string) => void): ReadWorlds | Failure {
  const worlds = new Map<string, Configuration>();
  const texts = new Map<string, string>();
  for (const file of files) {
    const text = readText(file);
    if (isFailure(text)) return text;
    const { configuration, errors, warnings } = readWorldFile({ file, text });
    for (const warning of warnings) warn(oneLine(warning));
    if (configuration === null) return new Failure(...errors);
    if (hasThrottling(configuration))
      return new Failure(
        `${file}: throttle_interval lets requests wait, which a replay cannot do; remove it`,
      );
    worlds.set(file, configuration);
    texts.set(file, text);
  }
  return { worlds, texts };
}

/** Warnings about fields that a world reads but a log lacks. The world decides as if clients had not sent them. */
const absenceNotes = ({ logs, candidates }: ReplayResult): readonly string[] => {
  // Files of other limiters always read the host, which is a question if it decides.
  const readsHost = candidates.some(
    ({ world, configuration }) => world !== null && (configuration?.kind ?? "world") === "world",
  );
  return logs.flatMap(({ file, absentFields }) =>
    absentFields
      .filter((field) => readsHost || field !== "header:host")
      .map(
        (field) =>
          `warning: ${logTitle(file)} has no ${field}, by which a limit counts; its requests are decided without it`,
      ),
  );
};

/** Problems that make the result wrong or incomplete. */
function problemsOf(result: ReplayResult, { lists }: Arguments): readonly string[] {
  const { logs, requests, key } = result;
  const problems = logs.flatMap(problemsOfLog);
  const withoutKey = logs.reduce((sum, log) => sum + log.withoutKey, 0);
  if (requests > 0 || problems.length > 0) return problems;
  if (withoutKey > 0)
    return [
      `no request has ${key}: all ${withoutKey} are without it; choose another --key, such as header:NAME or field:NAME`,
    ];
  const withoutEndpoint = logs.reduce((sum, log) => sum + log.withoutEndpoint, 0);
  if (withoutEndpoint > 0)
    return [
      `no request has a method and a path, and a file of limits needs both: all ${withoutEndpoint} are without; name their columns by --method field:NAME and --path field:NAME`,
    ];
  return [`no request is left; check ${lists.has("where") ? "--where" : "the log"}`];
}
