// `weir explain --config`: why the limits of a file refuse a request of an access log.
import { JSON_NEEDS_REQUEST } from "./requests-to-explain.node.ts";
import { commandOf } from "../kit/command-line.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { countText, oneLine, thousands } from "../kit/reading/legible.ts";
import { doubtsOf } from "../lab/implementations/rules-of-file.ts";
import {
  ExplainRequests,
  type ExplainedCandidate,
  type WantedRequest,
} from "../studies/replay/explain-rules.ts";
import { onFleet } from "../studies/replay/fleet.ts";
import { NameTable } from "../studies/replay/names.ts";
import { AS_LOGGED, placementsFrom, type Placement } from "../studies/replay/placements.ts";
import { readLogs } from "../studies/replay/replay-logs.node.ts";
import type { LogQuestion } from "../studies/replay/requests.ts";
import { fieldsOfRules, type RulesCandidate } from "../studies/replay/rules.ts";
import { addAnswer } from "../show/answers/answer.ts";
import { answerExplainRules } from "../show/answers/explain-rules.ts";
import { printAnswer } from "./answer-text.ts";
import type { Action, Arguments } from "./arguments.ts";
import { configurationQuestion, readConfiguration } from "./configuration-file.node.ts";
import { EXIT } from "./exit.ts";
import { readFleet } from "./fleet-option.node.ts";
import { interruption } from "./interruption.node.ts";
import { codeOfUnread, sourcesNamed } from "./log-sources.node.ts";
import { linesQuestion } from "./log-question.ts";
import type { Terminal } from "./terminal.ts";

const OTHER_FLAGS = ["variant", "scenario", "seed"];

export const explainByFile: Action = async (args, terminal, refuse) => {
  const { operands, values, lists, switches } = args;
  const other = OTHER_FLAGS.find((name) => values.has(name));
  if (other !== undefined)
    return refuse(`--${other} is of a history or a scenario, and --config of a log; remove one`);
  const logs = lists.get("log") ?? [];
  if (logs.length === 0) return refuse("--config needs a log; add --log access.log");
  if (operands.length > 1)
    return refuse(`one request is explained; remove ${operands.slice(1).join(" ")}`);
  const wanted = parseWanted(operands[0]);
  if (wanted === null && switches.has("json")) return refuse(JSON_NEEDS_REQUEST);
  const refuseAll = ({ problems }: Failure): typeof EXIT.usage => {
    for (const problem of problems) terminal.err(oneLine(`weir explain: ${problem}`));
    return EXIT.usage;
  };
  const candidate = readRulesFile(args, terminal);
  if (isFailure(candidate)) return refuseAll(candidate);
  const question = logQuestion(args, candidate);
  if (isFailure(question)) return refuse(question.message);
  const sources = sourcesNamed(logs);
  if (isFailure(sources)) return refuse(sources.message);
  const { stop, isWanted } = interruption();
  const start = (placement: Placement): ExplainRequests =>
    new ExplainRequests(candidate, question, placement, wanted);
  let explained = start(AS_LOGGED);
  let isWholeSeconds = false;
  const outcome = await readLogs(
    sources,
    question,
    (isWhole) => {
      isWholeSeconds = isWhole;
      return (explained = start(isWhole ? placementsFrom(1)[0]! : AS_LOGGED));
    },
    { isStopped: isWanted, stop, report: (lines) => terminal.status(`${thousands(lines)} lines`) },
  );
  terminal.status("");
  if (isFailure(outcome)) {
    refuseAll(outcome);
    return codeOfUnread(outcome, isWanted());
  }
  const { file, configuration } = candidate;
  if (wanted === null) {
    for (const line of listRefused(args, explained)) terminal.out(line);
    return EXIT.passed;
  }
  if (explained.explained === null)
    return refuseAll(
      new Failure(
        explained.ofClient === 0
          ? `the log has no request of ${wanted.client}; leave out the client to list refused requests`
          : `the log has ${countText(explained.ofClient, "request")} of ${wanted.client}, and not number ${wanted.nth}`,
      ),
    );
  const facts = { ...explained.explained, file, isWholeSeconds, doubts: doubtsOf(configuration) };
  const document = addAnswer({ format: "weir-explain-rules/1", ...facts }, answerExplainRules);
  if (switches.has("json")) terminal.out(JSON.stringify(document, null, 2));
  else printAnswer(document.answer, { ...terminal, tableColumns: terminal.columns });
  return EXIT.passed;
};

/** `192.0.2.1`, or `192.0.2.1:3` for its third request. */
function parseWanted(typed: string | undefined): WantedRequest {
  if (typed === undefined) return null;
  const [, client, nth] = /^(.+):([1-9]\d*)$/s.exec(typed) ?? [];
  const isAddress = typed.split(":").length > 2; // of IPv6, without a number
  return client === undefined || (isAddress && !typed.startsWith("["))
    ? { client: typed, nth: null }
    : { client: client.replace(/^\[(.*)\]$/, "$1"), nth: Number(nth) };
}

function readRulesFile(args: Arguments, terminal: Terminal): ExplainedCandidate | Failure {
  const question = configurationQuestion(args, (line) => terminal.err(`weir explain: ${line}`));
  if (isFailure(question)) return question;
  const file = args.values.get("config")!;
  const typed = args.values.get("fleet");
  const fleet = typed === undefined ? undefined : readFleet(typed);
  if (isFailure(fleet)) return fleet;
  const candidate = readConfiguration(file, question);
  if (isFailure(candidate)) return candidate;
  if (candidate.kind === "rules") return onFleet(candidate, fleet);
  return new Failure(
    `${file} is no file of another limiter; a world is explained by a scenario that has it`,
  );
}

function logQuestion(args: Arguments, candidate: RulesCandidate): LogQuestion | Failure {
  const lines = linesQuestion(args);
  return isFailure(lines)
    ? lines
    : {
        ...lines,
        clients: new NameTable(),
        targets: new NameTable(),
        sender: fieldsOfRules(candidate),
      };
}

function listRefused(
  { values, lists }: Arguments,
  { requests, refused, listed }: ExplainRequests,
): readonly string[] {
  const file = values.get("config")!;
  const [first] = listed;
  const all = `${file} refuses ${thousands(refused)} of ${countText(requests, "request")}`;
  if (first === undefined) return [oneLine(`${all}: there is none to explain`)];
  const logs = (lists.get("log") ?? []).flatMap((log) => ["--log", log]);
  const fleet = values.get("fleet");
  const onInstances = fleet === undefined ? [] : ["--fleet", fleet];
  const words = ["explain", "--config", file, ...logs, ...onInstances];
  const command = commandOf([...words, `${first.client}:${first.nth}`]);
  return [
    oneLine(`${all}.${listed.length < refused ? ` The first ${listed.length}:` : ""}`),
    ...listed.map(({ client, nth, request, atUs }) =>
      oneLine(`  ${client}:${nth}  ${request} at ${new Date(atUs / 1_000).toISOString()}`),
    ),
    oneLine(`Explain one of them: ${command}`),
  ];
}
