// `weir bench`: selects the suite and the targets, and prints and saves the results.
import { existsSync } from "node:fs";
import { warningsOf } from "../studies/bench/warnings.ts";
import {
  samplesFileOf,
  type ResultFiles,
  type ResultPlace,
} from "../studies/bench/result-files.node.ts";
import { timeText } from "../studies/bench/progress-line.ts";
import { noPin, pinning, type Pin } from "../studies/bench/pin.node.ts";
import { planOf, type BenchPlan } from "../studies/bench/plan.ts";
import { endless, roundClock, roundsWarnings } from "../studies/bench/round-clock.ts";
import { kindOf } from "../studies/bench/read-suite-file.ts";
import { readTruth } from "../studies/bench/read-truth.ts";
import { readSuite } from "../studies/bench/read-suite.ts";
import { machine, machineAfter } from "../studies/bench/resources/machine.node.ts";
import { boundResults } from "../studies/bench/bounds.ts";
import { resultOf } from "../studies/bench/result-of.ts";
import type { BenchResult } from "../studies/bench/result.ts";
import { runSuite, type SuiteOrders, type SuiteRun } from "../studies/bench/run-suite.node.ts";
import type { Suite } from "../studies/bench/suite.ts";
import { suiteFile, suiteNames } from "../studies/bench/suites.node.ts";
import { CAPS } from "../studies/bench/target.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import type { Action } from "./arguments.ts";
import { listParts, printSuite, printTruthSuite } from "./bench-list.ts";
import { benchOptions, type BenchOptions } from "./bench-options.ts";
import { progressOn } from "./bench-progress.node.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { removeFiles, pageProblem } from "./html-option.node.ts";
import { seedOf } from "./parse-arguments.node.ts";
import { warn, type Terminal } from "./terminal.ts";
import { whyUnwritable } from "../kit/reading/folder.node.ts";
import { readText } from "../kit/reading/text-file.node.ts";
import { defaultFile } from "../kit/reading/untracked.node.ts";
import { hashOf, printResult, renderResult, reportProblems } from "./bench-output.node.ts";
import { addAnswer } from "../show/answers/answer.ts";
import { answerBench } from "../show/answers/bench.ts";
import { benchParts, readParts } from "./bench-parts.node.ts";
import {
  startStopwatch,
  endingBySignals,
  findDoubts,
  openResultsAt,
  WEIR,
  whyAway,
} from "./bench-ready.node.ts";

const DEFAULT_SUITE = "gateway";
const ONLY_AGAINST = ["pairs", "until", "min-effect"];

export const bench: Action = async (args, terminal, refuse) => {
  const { operands, switches, values } = args;
  const { err } = terminal;
  const stopwatch = startStopwatch();
  const seed = seedOf(values);
  if (isFailure(seed)) return refuse(seed.message);
  const options = await benchOptions(args, async (name) => {
    const { findControlOfOthers } = await import("../studies/bench/controls/of-others.node.ts");
    return findControlOfOthers(name);
  });
  if (isFailure(options)) return refuse(options.message);
  const [named] = operands;
  if (switches.has("list")) return list(named, options, terminal);
  const out = values.get("out");
  const there =
    out === undefined ? [] : [out, samplesFileOf(out)].filter((file) => existsSync(file));
  if (there.length > 0) {
    err(`${there[0]} already exists; choose another file`);
    return EXIT.usage;
  }
  const page = values.get("html");
  const pageless = page === undefined ? null : pageProblem(page, [...operands, out]);
  if (pageless !== null) return refuse(pageless);
  const found = textNamed(named ?? DEFAULT_SUITE);
  if (isFailure(found)) return reportProblems(found, terminal);
  const kind = kindOf(found.text);
  if ((kind === "truth" || kind === "parts") && values.has("starts"))
    return refuse("--starts is only for suites that load gateways; remove it");
  if (kind === "truth") {
    const { benchTruth } = await import("./bench-truth.node.ts");
    return benchTruth({ ...found, seed }, args, terminal, refuse);
  }
  if (kind === "parts")
    return benchParts({ ...found, seed, wanted: options.wanted }, args, terminal, refuse);
  if (values.has("duration")) return refuse("--duration is only for the suite truth; remove it");
  const suite = readSuite(found.file, found.text);
  if (isFailure(suite)) return reportProblems(suite, terminal);
  const plan = planOf(suite, options.wanted);
  if (isFailure(plan)) return refuse(plan.message);
  const pin = switches.has("pin") ? pinning() : noPin;
  if (isFailure(pin)) return refuse(pin.message);
  if (values.has("against")) {
    const { benchAgainst } = await import("./bench-against.node.ts");
    return benchAgainst({ plan, options, seed, pin }, args, terminal, refuse);
  }
  const idle = ONLY_AGAINST.find((name) => values.has(name));
  if (idle !== undefined) return refuse(`--${idle} needs --against PATH`);
  const key = process.env["WEIR_BENCH_KEY"] || null;
  const away = await whyAway(plan, options, key);
  if (away !== null) {
    err(`weir bench: ${away.sentence}`);
    return away.code;
  }
  const file = out ?? defaultFile(`bench-${plan.suite.id}.json`);
  const unwritable = whyUnwritable(file) ?? (page === undefined ? null : removeFiles(page));
  if (unwritable !== null) return refuse(unwritable);
  const resultFiles = openResultsAt(file);
  if (isFailure(resultFiles)) {
    err(resultFiles.message);
    return EXIT.usage;
  }
  const played = await play({ stopwatch, plan, options, key, seed, pin, resultFiles }, terminal);
  printResult(played.result, played.place, switches, terminal);
  return renderResult(page, played, played.place.file, terminal);
};

interface NamedSuiteText {
  readonly file: string;
  readonly text: string;
}

function textNamed(named: string): NamedSuiteText | Failure {
  const file = suiteFile(named);
  if (isFailure(file)) return new Failure(`weir bench: ${file.message}`);
  const text = readText(file);
  return isFailure(text) ? text : { file, text };
}

function list(named: string | undefined, { wanted }: BenchOptions, terminal: Terminal): ExitCode {
  let isSound = true;
  // If neither a suite nor --only is given, all suites are listed.
  const all = named === undefined && wanted.only === null;
  for (const name of all ? suiteNames() : [named ?? DEFAULT_SUITE]) {
    const problems = listSuite(textNamed(name), wanted, named !== undefined, terminal);
    for (const problem of problems) terminal.err(problem);
    isSound &&= problems.length === 0;
  }
  return isSound ? EXIT.passed : EXIT.usage;
}

function listSuite(
  found: NamedSuiteText | Failure,
  wanted: BenchOptions["wanted"],
  isNamed: boolean,
  terminal: Terminal,
): readonly string[] {
  if (isFailure(found)) return found.problems;
  const { file, text } = found;
  const kind = kindOf(text);
  const isUnderLoad = kind !== "truth" && kind !== "parts";
  if (isNamed && !isUnderLoad && wanted.controls.length > 0)
    return ["weir bench: --control is for suites of gateways under load"];
  if (kind === "truth") {
    const suite = readTruth(file, text);
    return isFailure(suite) ? suite.problems : printTruthSuite(suite, terminal);
  }
  if (kind === "parts") {
    const suite = readParts(file, text, wanted);
    return isFailure(suite) ? suite.problems : listParts(suite, terminal);
  }
  const suite = readSuite(file, text);
  return isFailure(suite) ? suite.problems : printSuite(suite, wanted, terminal);
}

interface Playing {
  readonly stopwatch: () => number; // seconds since the command started
  readonly plan: BenchPlan;
  readonly options: BenchOptions;
  readonly key: string | null;
  readonly seed: number;
  readonly pin: Pin;
  readonly resultFiles: ResultFiles;
}

/** Whether the run has to end within a minute: with --quick, unless --repeats or --starts sets how much to measure. */
const isShort = ({ isQuick, repeats, starts }: BenchOptions["wanted"]): boolean =>
  isQuick && repeats === null && starts === null;

const roundsOf = ({ measured }: SuiteRun): number =>
  new Set(measured.map(({ repeat }) => repeat.round)).size;

interface Played {
  readonly result: BenchResult;
  readonly place: ResultPlace;
  readonly code: ExitCode;
}

async function play(playing: Playing, terminal: Terminal): Promise<Played> {
  const { stopwatch, plan, options, key, seed, pin, resultFiles } = playing;
  const { suite, subjects, seconds } = plan;
  const { target } = options;
  const { err } = terminal;
  err(`seed ${seed}; ${suite.id}, about ${timeText(seconds)}`);
  if (target !== null)
    err(
      `${target.href} gets at most ${CAPS.requests} requests, for at most ${timeText(CAPS.seconds)}`,
    );
  const over = endingBySignals();
  for (const doubt of await findDoubts(plan, options)) warn(terminal, doubt);
  const before = machine();
  const startedAt = new Date().toISOString();
  const startedMs = performance.now();
  const missing: string[] = [];
  const progress = progressOn(terminal, plan);
  const orders: SuiteOrders = {
    suite,
    subjects,
    seed,
    pin,
    weir: WEIR,
    clock: isShort(options.wanted) ? roundClock(subjects.length, stopwatch) : endless,
    onDelay: (sentence) => warn(terminal, sentence),
    capacity: options.capacity,
    target: target === null ? null : { url: target, key, caps: CAPS },
    ending: over,
    ...progress,
    onMissing: ({ name }, why) => {
      missing.push(`${name} is missing: ${why}`);
    },
    onSample: ({ name }, sample) => resultFiles.recordSample({ cell: name, ...sample }),
    onMeasured: ({ subject, repeat, figures }) => {
      resultFiles.recordSample({ what: "repeat", cell: subject.name, ...repeat, load: figures });
      resultFiles.flush();
      progress.onMeasured();
    },
  };
  return runSuite(orders, (ran) => {
    const place = resultFiles.placeOf(ran.stopped === null);
    const after = machineAfter(before, ran.busy, { redis: ran.redis });
    const result = resultOf(subjects, ran.measured, {
      suite: { id: suite.id, title: suite.title, hash: hashableParts(suite) },
      startedAt,
      tookSeconds: Math.round(performance.now() - startedMs) / 1_000,
      argv: process.argv.slice(2),
      seed,
      machine: after,
      target: target?.href ?? null,
      capacity: ran.capacity,
      gates: suite.gates,
      ...(suite.bounds.length === 0 ? {} : { bounds: suite.bounds }),
      stopped: ran.stopped?.why ?? null,
      warnings: [
        ...(ran.busy === null ? [] : [ran.busy]),
        ...missing,
        ...(ran.stopped === null
          ? roundsWarnings(roundsOf(ran), suite.starts * suite.repeats)
          : []),
        ...warningsOf(suite, ran.measured, target !== null),
      ],
      samples: place.samplesFile,
    });
    resultFiles.finish(place, addAnswer(result, answerBench));
    return {
      result,
      place,
      code: worseCode(codeOf(ran.stopped, result.footer), codeOfBounds(result)),
    };
  });
}

/** Returns `failed` for a broken bound, but `unproven` if the machine was busy or a measured value is missing. */
export function codeOfBounds(result: BenchResult): ExitCode {
  const results = boundResults(result);
  const isBroken = results.some(({ broken }) => broken > 0);
  if (isBroken && result.machine.busy === null) return EXIT.failed;
  return isBroken || results.some(({ measured }) => measured === null)
    ? EXIT.unproven
    : EXIT.passed;
}

const worseCode = (of: ExitCode, bounds: ExitCode): ExitCode => (of === EXIT.passed ? bounds : of);

export const codeOf = (
  stopped: SuiteRun["stopped"],
  { repeats, errors }: Pick<BenchResult["footer"], "repeats" | "errors">,
): ExitCode => {
  switch (stopped?.how) {
    case "interrupted":
      return EXIT.interrupted;
    case "gone":
      return EXIT.unreachable;
    case "capped":
      if (repeats === 0) return EXIT.unreachable;
      return errors > 0 ? EXIT.failed : EXIT.unproven;
    case undefined:
      return errors > 0 ? EXIT.failed : EXIT.passed;
  }
};

/** The hash of the fields that must be equal for two runs to be comparable; repeats and gates may differ. */
const hashableParts = ({
  id,
  base,
  vary,
  controls,
  keyCount,
  perUs,
  lastsUs,
  warmUpUs,
}: Suite): string => hashOf({ id, base, vary, controls, keyCount, perUs, lastsUs, warmUpUs });
