// `weir recommend --config`: what the file of a limiter refuses of access logs, and its smallest change.
import { isFailure, type Failure } from "../kit/reading/failure.ts";
import { oneLine } from "../kit/reading/legible.ts";
import { buildChange } from "../studies/diff/change-result.ts";
import type { RecordedRequests } from "../studies/diff/decide-again.ts";
import { findSmallestChange } from "../studies/diff/smallest-change.ts";
import type { Arrivals } from "../studies/replay/arrivals.ts";
import { sideText } from "../studies/replay/configuration-text.ts";
import { NameTable } from "../studies/replay/names.ts";
import { AS_LOGGED, placementsFrom, type Placement } from "../studies/replay/placements.ts";
import { readLogs } from "../studies/replay/replay-logs.node.ts";
import type { LogQuestion } from "../studies/replay/requests.ts";
import type { Selector } from "../studies/replay/selectors.ts";
import { logText, sizeText } from "../studies/replay/text.ts";
import { addAnswer } from "../show/answers/answer.ts";
import { answerChange } from "../show/answers/change.ts";
import { limitsNothing } from "../show/answers/configuration-words.ts";
import { changePart } from "../show/log-pages/change-part.ts";
import { printAnswer } from "./answer-text.ts";
import { hasOption, shareIn, type Action, type Arguments } from "./arguments.ts";
import {
  configurationQuestion,
  fieldsOfCandidate,
  readEditable,
} from "./configuration-file.node.ts";
import { EXIT } from "./exit.ts";
import { readFleet } from "./fleet-option.node.ts";
import { pageProblem, removeFiles } from "./html-option.node.ts";
import { interruption } from "./interruption.node.ts";
import { problemsOfLog } from "./log-problems.ts";
import { codeOfUnread, sourcesOf } from "./log-sources.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import { linesQuestion } from "./log-question.ts";
import { isFirst } from "./replay-question.ts";

/** Flags of `weir recommend` that are about limits of its own. */
const OTHER_FLAGS =
  "per algorithm profile burst bad bad-clients without-outliers out to complete top anonymise legend".split(
    " ",
  );

const MOST_REQUESTS = 5_000_000;

export const recommendChange: Action = async (args, terminal, refuse) => {
  const { values, lists, switches } = args;
  const other = OTHER_FLAGS.find((name) => hasOption(args, name));
  if (other !== undefined)
    return refuse(
      `--${other} and --config do not go together: a file has its own limits; remove one of them`,
    );
  const page = values.get("html");
  const pageless =
    page === undefined ? null : pageProblem(page, [...args.operands, values.get("config")]);
  if (pageless !== null) return refuse(pageless);
  const seed = seedOf(values);
  if (isFailure(seed)) return refuse(seed.message);
  const requests = shareIn(values, "refuse-at-most", 0.001);
  if (isFailure(requests)) return refuse(requests.message);
  const clients = shareIn(values, "clients-at-most", 0.01);
  if (isFailure(clients)) return refuse(clients.message);
  const typed = values.get("fleet");
  const fleet = typed === undefined ? undefined : readFleet(typed);
  if (isFailure(fleet)) return refuse(fleet.message);
  const limits = configurationQuestion(args, (line) => terminal.err(`weir recommend: ${line}`));
  if (isFailure(limits)) return refuse(limits.message);
  const report = (problem: string): void => terminal.err(oneLine(`weir recommend: ${problem}`));
  const editable = readEditable(values.get("config")!, limits);
  if (isFailure(editable)) {
    for (const problem of editable.problems) report(problem);
    return EXIT.usage;
  }
  const { candidate } = editable;
  const question = logQuestion(args, fieldsOfCandidate(candidate));
  if (isFailure(question)) return refuse(question.message);
  const sources = sourcesOf(args);
  if (isFailure(sources)) return refuse(sources.message);
  const notRemoved = page === undefined ? null : removeFiles(page);
  if (notRemoved !== null) return refuse(notRemoved);
  const { stop, isWanted } = interruption();
  let recorded = new Recording(AS_LOGGED);
  const outcome = await readLogs(
    sources,
    question,
    (isWhole) => (recorded = new Recording(isWhole ? placementsFrom(seed)[0]! : AS_LOGGED)),
    {
      isStopped: () => isWanted() || recorded.clients.length > MOST_REQUESTS,
      stop,
      report: (lines) => terminal.status(`${lines.toLocaleString("en-US")} lines`),
    },
  );
  terminal.status("");
  if (isFailure(outcome)) {
    for (const problem of outcome.problems) report(problem);
    return codeOfUnread(outcome, isWanted());
  }
  if (isWanted()) {
    report("interrupted; there is no result");
    return EXIT.interrupted;
  }
  if (recorded.clients.length > MOST_REQUESTS) {
    report("the logs have more than 5,000,000 requests; name fewer logs, or select by --where");
    return EXIT.usage;
  }
  if (recorded.clients.length === 0) {
    report(`no request is left; check ${lists.has("where") ? "--where" : "the log"}`);
    return EXIT.usage;
  }
  const change = findSmallestChange(editable, {
    requests: recorded,
    names: question,
    fleet,
    refusedAtMost: requests,
    clientsAtMost: clients,
  });
  const result = addAnswer(
    buildChange({
      ...outcome,
      key: values.get("key") ?? "ip",
      clientNames: question.clients.names,
      candidate,
      fleet,
      before: editable.files,
      change,
      requests: recorded.clients.length,
      isForAll: switches.has("with-outliers"),
      target: { requests, clients },
    }),
    answerChange,
  );
  if (switches.has("json")) terminal.out(JSON.stringify(result, null, 2));
  else {
    printAnswer(result.answer, terminal);
    for (const log of result.logs) terminal.out(oneLine(logText(log)));
    terminal.out(sizeText({ ...result, ...recorded.span() }));
    for (const line of sideText("limits", result.configuration)) terminal.out(line);
    if (result.patch !== null) terminal.out(`\n${result.patch.trimEnd()}`);
  }
  const problems = result.logs.flatMap(problemsOfLog);
  for (const problem of problems) report(problem);
  if (page !== undefined) {
    const part = changePart(result, recorded.span(), problems, process.argv.slice(2));
    const { writePage } = await import("./page-file.node.ts");
    const content = { run: null, measured: [part] };
    if (!(await writePage(page, content, false, terminal))) return EXIT.usage;
  }
  if (problems.length > 0) return EXIT.usage;
  if (limitsNothing(result.configuration)) return EXIT.unproven;
  return result.isMetAfter ? EXIT.passed : EXIT.failed;
};

/** The requests of a log in the order of time, at placed times. */
class Recording implements RecordedRequests {
  readonly clients: number[] = [];
  readonly targets: number[] = [];
  readonly atUs: number[] = [];
  readonly #placement: Placement;
  #times = new Float64Array(0);

  constructor(placement: Placement) {
    this.#placement = placement;
  }

  decide(arrivals: Arrivals): void {
    const { count, clients, targets } = arrivals;
    if (this.#times.length < count) this.#times = new Float64Array(count);
    this.#placement.place(arrivals, this.#times);
    for (let row = 0; row < count; row++) {
      this.clients.push(clients[row]!);
      this.targets.push(targets[row]!);
      this.atUs.push(this.#times[row]!);
    }
  }

  end(): void {}

  span(): { readonly firstAt: string; readonly lastAt: string } {
    const timeOf = (us: number): string => new Date(us / 1000).toISOString();
    return { firstAt: timeOf(this.atUs[0]!), lastAt: timeOf(this.atUs.at(-1)!) };
  }
}

function logQuestion(args: Arguments, sender: readonly Selector[]): LogQuestion | Failure {
  const lines = linesQuestion(args);
  return isFailure(lines)
    ? lines
    : {
        ...lines,
        clients: new NameTable(),
        targets: new NameTable(),
        sender: sender.filter(isFirst),
      };
}
