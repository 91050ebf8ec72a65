// `weir bench SUITE` for a suite that compares the requests admitted under load with the limit.
import { timeText } from "../studies/bench/progress-line.ts";
import { readTruth, type TruthSuite } from "../studies/bench/read-truth.ts";
import { placeOfResult } from "../studies/bench/result-files.node.ts";
import { truthPart } from "../studies/bench/report/truth-part.ts";
import { machine, machineAfter } from "../studies/bench/resources/machine.node.ts";
import { runTruth, type TruthRun } from "../studies/bench/truth-run.node.ts";
import { perSecondOf } from "../studies/bench/truth-sending.node.ts";
import { truthWarningsOf } from "../studies/bench/truth-warnings.ts";
import { truthFooterOf } from "../studies/bench/truth-schema.ts";
import { truthLines } from "../studies/bench/truth-table.ts";
import { truthSubjects } from "../studies/bench/truth.ts";
import {
  TRUTH_FORMAT,
  type TruthBound,
  type TruthResult,
  type TruthSubject,
} from "../studies/bench/truth-schema.ts";
import { isRedisThere, NO_REDIS } from "../lab/drivers/own-redis.node.ts";
import { MILLISECOND, micros, parseDuration, SECOND } from "../kit/units.ts";
import { boundOf } from "../studies/worst/bound.ts";
import { isFailure } from "../kit/reading/failure.ts";
import type { Action } from "./arguments.ts";
import { addAnswer, leadWithAnswer } from "../show/answers/answer.ts";
import { answerTruth } from "../show/answers/truth.ts";
import { printAnswer } from "./answer-text.ts";
import { reportProblems } from "./bench-output.node.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { removeFiles } from "./html-option.node.ts";
import { whyUnwritable } from "../kit/reading/folder.node.ts";
import { endingBySignals, WEIR } from "./bench-ready.node.ts";
import { writeWhole } from "../kit/reading/text-file.node.ts";
import { createResultFolder, defaultFile } from "../kit/reading/untracked.node.ts";

interface ToBench {
  readonly file: string;
  readonly text: string;
  readonly seed: number;
}

import { warn } from "./terminal.ts";
const OPTIONS = ["duration", "seed", "out", "json", "legend", "html"];

export async function benchTruth(
  { file, text, seed }: ToBench,
  { values, switches }: Parameters<Action>[0],
  terminal: Parameters<Action>[1],
  refuse: Parameters<Action>[2],
): Promise<ExitCode> {
  const { out, err, status, paint, tableColumns } = terminal;
  const asWritten = readTruth(file, text);
  if (isFailure(asWritten)) return reportProblems(asWritten, terminal);
  const idle = [...switches, ...values.keys()].find((name) => !OPTIONS.includes(name));
  if (idle !== undefined)
    return refuse(`--${idle} is no flag of suite truth, which takes --${OPTIONS.join(", --")}`);
  const lasts = values.get("duration");
  const lastsUs = lasts === undefined ? asWritten.lastsUs : parseDuration(lasts);
  if (lastsUs === null || lastsUs === 0)
    return refuse(`--duration must be a duration, such as 60s; got "${lasts}"`);
  const suite: TruthSuite = { ...asWritten, lastsUs };
  if (suite.stores.includes("redis") && !isRedisThere()) {
    err(`weir bench: ${NO_REDIS}`);
    return EXIT.unreachable;
  }
  const page = values.get("html");
  const to = values.get("out") ?? defaultFile(`bench-${suite.id}.json`);
  const unwritable = whyUnwritable(to) ?? (page === undefined ? null : removeFiles(page));
  if (unwritable !== null) return refuse(unwritable);
  const subjects = truthSubjects(suite);
  const before = machine();
  err(
    `seed ${seed}, ${subjects.length} gateways at once, ${timeText(lastsUs / SECOND)} and their start`,
  );
  const over = endingBySignals();
  const startedAt = new Date().toISOString();
  const startedMs = performance.now();
  const ran = await runTruth({
    suite,
    subjects,
    seed,
    ending: over,
    weir: WEIR,
    boundOf: (subject, inFlight) => boundBySpecification(subject, suite, inFlight),
    onProgress: ({ answers, secondsLeft }) =>
      status(`${answers} answers, ${timeText(secondsLeft)} left`),
  });
  status("");
  const result: TruthResult = {
    format: TRUTH_FORMAT,
    suite: { id: suite.id, title: suite.title },
    startedAt,
    tookSeconds: Math.round(performance.now() - startedMs) / 1_000,
    argv: process.argv.slice(2),
    seed,
    machine: machineAfter(before, ran.busy, { redis: ran.redis }),
    limit: { rate: suite.rate, perUs: suite.perUs },
    perSecond: perSecondOf(suite),
    lastsUs,
    subjects: ran.subjects,
    stopped: ran.stopped?.why ?? null,
    warnings: [...ran.warnings, ...truthWarningsOf(ran, suite)],
    footer: truthFooterOf(ran.subjects),
  };
  const answered = addAnswer(result, answerTruth);
  const document = JSON.stringify(answered, null, 2);
  const place = placeOfResult(to, ran.stopped === null);
  const noFolder = createResultFolder(to);
  if (noFolder === null) writeWhole(place.file, `${document}\n`);
  else err(noFolder);
  if (switches.has("json")) out(document);
  else {
    printAnswer(answered.answer, terminal);
    const print = { paint, width: tableColumns, hasLegend: switches.has("legend") };
    for (const line of truthLines(result, print)) out(line);
  }
  // The answer has a sentence of a busy machine.
  for (const warning of result.warnings)
    if (switches.has("json") || warning !== result.machine.busy) warn(terminal, warning);
  if (result.stopped !== null) err(paint("bad", `stopped early: ${result.stopped}`));
  if (noFolder === null) err(place.line);
  const code = codeOf(result, ran.stopped);
  if (page === undefined) return code;
  const { writePage } = await import("./page-file.node.ts");
  const content = { run: null, measured: [leadWithAnswer(truthPart(result), answered.answer)] };
  const isWritten = await writePage(page, content, false, terminal);
  return isWritten || code !== EXIT.passed ? code : EXIT.usage;
}

/** The most requests that the suite's rate admits. A control has another rate and is compared with the same bound. */
function boundBySpecification(
  { algorithm }: TruthSubject,
  suite: TruthSuite,
  inFlight: number,
): TruthBound {
  return boundOf({
    id: suite.id,
    algorithm,
    rate: suite.rate,
    perUs: suite.perUs,
    burst: "rate",
    queue: "rate",
    fixedWindowStart: "first_request",
    level: "key",
    nodes: 1,
    balancer: "round_robin",
    weights: [],
    skewUs: [],
    storeUs: micros(MILLISECOND),
    inFlight,
  });
}

export function codeOf({ footer, warnings }: Ended, stopped: TruthRun["stopped"]): ExitCode {
  if (stopped !== null) return stopped.how === "interrupted" ? EXIT.interrupted : EXIT.unreachable;
  if (footer.errors > 0 || footer.outside > 0) return EXIT.failed;
  return warnings.length > 0 ? EXIT.unproven : EXIT.passed;
}

type Ended = Pick<TruthResult, "footer" | "warnings">;
