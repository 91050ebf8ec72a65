// Examines the limit headers of a running server or of recorded responses.
import { readTarget, type TargetWords } from "../lab/drivers/allowed-target.ts";
import type { ProbeRequest } from "../studies/lint/exchange.node.ts";
import { probe } from "../studies/lint/probe.node.ts";
import type { ProbeCaps } from "../studies/lint/next-probe.ts";
import { parseRecorded } from "../studies/lint/recorded.ts";
import { buildResult, type UnansweredLint } from "../studies/lint/result.ts";
import { addAnswer } from "../show/answers/answer.ts";
import { answerLint } from "../show/answers/lint.ts";
import { printAnswer } from "./answer-text.ts";
import { lintText } from "../studies/lint/text.ts";
import { many, oneLine } from "../kit/reading/legible.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { readText } from "../kit/reading/text-file.node.ts";
import { durationIn } from "../kit/reading/duration.ts";
import { SECOND } from "../kit/units.ts";
import { countIn, METHODS, type Action, type Arguments } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { readHeaders } from "./header-option.ts";
import { interruption } from "./interruption.node.ts";
import type { Terminal } from "./terminal.ts";

export const lint: Action = async (args, terminal, refuse) => {
  const file = args.values.get("responses");
  if (file !== undefined) return lintFile(file, args, terminal, refuse);
  const [address] = args.operands;
  if (address === undefined) return refuse("lint takes a URL, or --responses FILE");
  const question = readQuestion(address, args);
  if (isFailure(question)) return refuse(question.message);
  const { stop, isWanted } = interruption();
  const aborted = new AbortController();
  void stop.then(() => aborted.abort());
  const { request, caps } = question;
  const { exchanges, why, lost } = await probe(request, caps, {
    signal: aborted.signal,
    report: (sent) => {
      terminal.status(`${many(sent.length, "request")}, last ${sent.at(-1)!.status}`);
    },
  });
  terminal.status("");
  if (exchanges.length === 0) {
    terminal.err(oneLine(`weir lint: ${why}`));
    return isWanted() ? EXIT.interrupted : EXIT.unreachable;
  }
  const [first] = exchanges;
  const location = first!.headers.find(([name]) => name.toLowerCase() === "location")?.[1];
  if (first!.status >= 300 && first!.status < 400 && first!.readings.length === 0)
    return refuse(
      `${request.url.href} redirects${location === undefined ? "" : ` to ${location}`}, and redirects are not followed; examine that URL`,
    );
  const result = buildResult(request.url.href, why, exchanges);
  print(result, args, terminal);
  if (lost !== null) terminal.err(oneLine(`weir lint: ${lost}`));
  if (isWanted()) return EXIT.interrupted;
  return lost === null ? exitOf(result) : EXIT.unreachable;
};

function lintFile(
  file: string,
  args: Arguments,
  terminal: Terminal,
  refuse: (sentence: string) => ExitCode,
): ExitCode {
  const odd = ["requests", "for", "method", "header", "allow-target"].find(
    (name) => args.values.has(name) || args.lists.has(name),
  );
  if (args.operands.length > 0 || odd !== undefined)
    return refuse(
      `--responses sends no requests; remove ${odd === undefined ? args.operands[0] : `--${odd}`}`,
    );
  const read = readText(file);
  const recorded = isFailure(read) ? read : parseRecorded(file, read);
  if (isFailure(recorded)) {
    for (const problem of recorded.problems) terminal.err(oneLine(problem));
    return EXIT.usage;
  }
  const result = buildResult(file, "the file ends", recorded);
  print(result, args, terminal);
  return exitOf(result);
}

function print(facts: UnansweredLint, { switches }: Arguments, terminal: Terminal): void {
  const { out, paint } = terminal;
  const result = addAnswer(facts, answerLint);
  if (switches.has("json")) out(JSON.stringify(result, null, 2));
  else {
    printAnswer(result.answer, terminal);
    for (const line of lintText(result, paint)) out(line);
  }
}

function exitOf({ verdict, dialects }: UnansweredLint): ExitCode {
  if (verdict === "valid") return EXIT.passed;
  return verdict === "inconclusive" || dialects.length === 0 ? EXIT.unproven : EXIT.failed;
}

const WORDS: TargetWords = {
  url: "lint",
  credential: "pass them with --header 'Authorization: ...'",
};

const MOST_REQUESTS = 10_000;
const DEFAULT_CAPS: ProbeCaps = { requests: 100, seconds: 60 };
const LONGEST_S = 3600;

function readQuestion(
  address: string,
  { values, lists }: Arguments,
): { readonly request: ProbeRequest; readonly caps: ProbeCaps } | Failure {
  const url = readTarget(address, lists.get("allow-target") ?? [], WORDS);
  if (isFailure(url)) return url;
  const requests = countIn(values, "requests", MOST_REQUESTS);
  if (isFailure(requests)) return requests;
  const length = values.get("for");
  const us = length === undefined ? DEFAULT_CAPS.seconds * SECOND : durationIn(length);
  if (us === undefined || us < SECOND || us > LONGEST_S * SECOND)
    return new Failure(`--for must be a duration from 1s to 1h; got "${length}"`);
  const method = (values.get("method") ?? "GET").toUpperCase();
  if (!METHODS.includes(method))
    return new Failure(`--method must be one of ${METHODS.join(", ")}; got "${method}"`);
  const headers = readHeaders("header", lists.get("header") ?? []);
  if (isFailure(headers)) return headers;
  return {
    request: { url, method, headers },
    caps: { requests: requests ?? DEFAULT_CAPS.requests, seconds: us / SECOND },
  };
}
