// Decides the requests of weir diff by both configurations: those of logs, or planned ones.
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { AS_LOGGED, placementsFrom } from "../studies/replay/placements.ts";
import { NameTable } from "../studies/replay/names.ts";
import { readLogs } from "../studies/replay/replay-logs.node.ts";
import type { LogSource } from "../studies/replay/log-source.node.ts";
import type { LogQuestion } from "../studies/replay/requests.ts";
import type { Selector } from "../studies/replay/selectors.ts";
import { DecideBoth } from "../studies/diff/decide-both.ts";
import type { DiffPair } from "../studies/diff/pair.ts";
import {
  decidePlanned,
  type DecidedFacts,
  type NamedTraffic,
} from "../studies/diff/decide-planned.ts";
import { parsePlannedKey } from "../studies/diff/planned-requests.ts";
import type { Arguments } from "./arguments.ts";
import { fieldsOfCandidate } from "./configuration-file.node.ts";
import type { ExitCode } from "./exit.ts";
import { interruption } from "./interruption.node.ts";
import { codeOfUnread, sourcesNamed } from "./log-sources.node.ts";
import { linesQuestion } from "./log-question.ts";
import { isFirst } from "./replay-question.ts";
import type { Terminal } from "./terminal.ts";

export interface DiffRequests {
  /** A failure has the exit code of logs that could not be read. */
  readonly decide: () => Promise<DecidedFacts | UnreadLogs>;
}

export class UnreadLogs extends Failure {
  readonly code: ExitCode;

  constructor(code: ExitCode, problems: readonly string[]) {
    super(...problems);
    this.code = code;
  }
}

export interface DiffQuestion {
  readonly pair: DiffPair;
  readonly key: string;
  readonly seed: number;
}

export function requestsOfLogs(
  args: Arguments,
  { pair, key, seed }: DiffQuestion,
  terminal: Terminal,
): DiffRequests | Failure {
  const question = logQuestion(args, key, pair);
  if (isFailure(question)) return question;
  const logs = args.lists.get("log")!;
  const sources = sourcesNamed(logs);
  if (isFailure(sources)) return sources;
  return { decide: () => decideLogs(sources, question, { pair, key, seed }, terminal) };
}

async function decideLogs(
  sources: readonly LogSource[],
  question: LogQuestion,
  { pair, seed }: DiffQuestion,
  terminal: Terminal,
): Promise<DecidedFacts | UnreadLogs> {
  const { stop, isWanted } = interruption();
  let decided: DecideBoth | null = null;
  let isWholeSeconds = false;
  const outcome = await readLogs(
    sources,
    question,
    (isWhole) => {
      isWholeSeconds = isWhole;
      const placement = isWhole ? placementsFrom(seed)[0]! : AS_LOGGED;
      return (decided = new DecideBoth(pair, question, placement));
    },
    {
      isStopped: isWanted,
      stop,
      report: (lines) => terminal.status(`${lines.toLocaleString("en-US")} lines`),
    },
  );
  terminal.status("");
  // Closes stdin, because a pending read would keep the process alive.
  if (isWanted() && sources.some(({ name }) => name === "-")) process.stdin.destroy();
  if (isFailure(outcome))
    return new UnreadLogs(codeOfUnread(outcome, isWanted()), outcome.problems);
  return {
    ...outcome,
    ...namesOf(question),
    pair,
    decided: decided!,
    isWholeSeconds,
    isInterrupted: isWanted(),
  };
}

export function requestsOfTraffic(
  traffic: NamedTraffic,
  { pair, key: typed }: DiffQuestion,
): DiffRequests | Failure {
  const key = parsePlannedKey(typed);
  if (isFailure(key)) return new Failure(`--key: ${key.message}`);
  const { sender } = tablesFor(pair);
  return { decide: () => Promise.resolve(decidePlanned(traffic, { pair, key, sender })) };
}

const namesOf = ({
  clients,
  targets,
}: Omit<Tables, "sender">): Pick<DecidedFacts, "clientNames" | "targetNames"> => ({
  clientNames: clients.names,
  targetNames: targets?.names ?? [],
});

interface Tables {
  readonly clients: NameTable;
  readonly targets: NameTable | null; // null: only limits, which read no method or path
  readonly sender: readonly Selector[];
}

const tablesFor = ({ before, after }: DiffPair): Tables => ({
  clients: new NameTable(),
  targets: [before, after].every(({ kind }) => kind === "limit") ? null : new NameTable(),
  sender: [...fieldsOfCandidate(before), ...fieldsOfCandidate(after)].filter(isFirst),
});

function logQuestion(args: Arguments, typed: string, pair: DiffPair): LogQuestion | Failure {
  const lines = linesQuestion(args, typed);
  return isFailure(lines) ? lines : { ...lines, ...tablesFor(pair) };
}
