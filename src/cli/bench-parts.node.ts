// `weir bench SUITE` for a suite that measures parts of Weir.
import { existsSync } from "node:fs";
import { many } from "../kit/reading/legible.ts";
import { dirname, join } from "node:path";
import { describeMissingCase, type BenchSelection } from "../studies/bench/plan.ts";
import { partResultOf } from "../studies/bench/parts/part-result.ts";
import type { PartSuite } from "../studies/bench/parts/part-suite.ts";
import { readPartSuite } from "../studies/bench/parts/read-part-suite.ts";
import { runParts } from "../studies/bench/parts/run-parts.node.ts";
import { endless, roundClock, roundsWarnings } from "../studies/bench/round-clock.ts";
import { findBusyReason } from "../studies/bench/resources/processes.node.ts";
import { placeOfResult } from "../studies/bench/result-files.node.ts";
import { machine, machineAfter } from "../studies/bench/resources/machine.node.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { whyUnwritable } from "../kit/reading/folder.node.ts";
import { createResultFolder, defaultFile } from "../kit/reading/untracked.node.ts";
import type { Action } from "./arguments.ts";
import { addAnswer } from "../show/answers/answer.ts";
import { answerBench } from "../show/answers/bench.ts";
import { hashOf, printResult, renderResult, reportProblems } from "./bench-output.node.ts";
import { progressOn } from "./bench-progress.node.ts";
import { endingBySignals, startStopwatch } from "./bench-ready.node.ts";
import { writeWhole } from "../kit/reading/text-file.node.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { removeFiles } from "./html-option.node.ts";

interface PartsToBench {
  readonly file: string;
  readonly text: string;
  readonly seed: number;
  readonly wanted: BenchSelection;
}

import { warn } from "./terminal.ts";
const OPTIONS = ["quick", "only", "repeats", "seed", "out", "json", "markdown", "legend", "html"];

/** Reads the suite and applies `--quick`, `--only` and `--repeats` to it. */
export function readParts(
  file: string,
  text: string,
  { isQuick, only, repeats }: BenchSelection,
): PartSuite | Failure {
  const hasProgram = (program: string): boolean => existsSync(join(dirname(file), program));
  const suite = readPartSuite(file, text, { isQuick, hasProgram });
  if (isFailure(suite)) return suite;
  const names = suite.cases.map(({ name }) => name);
  const missing = only?.find(({ matches }) => !names.some(matches));
  if (missing !== undefined)
    return new Failure(`weir bench: ${describeMissingCase(missing.text, names)}`);
  const cases = suite.cases.filter(
    ({ name }) => only === null || only.some(({ matches }) => matches(name)),
  );
  const gates = suite.gates.filter(({ metric }) => cases.some(({ name }) => name === metric));
  return { ...suite, cases, gates, repeats: repeats ?? suite.repeats };
}

export async function benchParts(
  { file, text, seed, wanted }: PartsToBench,
  { values, switches }: Parameters<Action>[0],
  terminal: Parameters<Action>[1],
  refuse: Parameters<Action>[2],
): Promise<ExitCode> {
  const { err } = terminal;
  const stopwatch = startStopwatch();
  const idle = [...switches, ...values.keys()].find((name) => !OPTIONS.includes(name));
  if (idle !== undefined)
    return refuse(`--${idle} is not for suites of parts, which take --${OPTIONS.join(", --")}`);
  const suite = readParts(file, text, wanted);
  if (isFailure(suite)) return reportProblems(suite, terminal);
  const { id, title, cases, prepare } = suite;
  const page = values.get("html");
  const to = values.get("out") ?? defaultFile(`bench-${id}.json`);
  const problem = whyUnwritable(to) ?? (page === undefined ? null : removeFiles(page));
  if (problem !== null) return refuse(problem);
  const candidates = cases.reduce((sum, one) => sum + one.candidates.length, 0);
  const count = candidates * suite.repeats;
  const isQuick = wanted.isQuick && wanted.repeats === null;
  const promise = isQuick ? ", or fewer, so that they end within a minute" : "";
  err(
    `seed ${seed}; ${id}, ${many(count, "measurement")} in ${many(suite.repeats, "round")}${promise}`,
  );
  const doubt = await findBusyReason();
  if (doubt !== null) warn(terminal, doubt);
  const before = machine();
  const startedAt = new Date().toISOString();
  const startedMs = performance.now();
  const { onStep, onMeasured } = progressOn(terminal, { repeats: count, seconds: null });
  const { measured, leftOut, busy, stopped } = await runParts({
    suite,
    folder: dirname(file),
    seed,
    ending: endingBySignals(),
    clock: isQuick ? roundClock(candidates, stopwatch) : endless,
    onDelay: (sentence) => warn(terminal, sentence),
    onPhase: onStep,
    onMeasured,
  });
  terminal.status("");
  const rounds = new Set(measured.map(({ round }) => round)).size;
  const result = partResultOf(suite, measured, {
    suite: {
      id,
      title,
      hash: hashOf({
        id,
        prepare,
        cases: cases.map(({ name, unit, candidates: all }) => ({ name, unit, all })),
      }),
    },
    startedAt,
    tookSeconds: Math.round(performance.now() - startedMs) / 1_000,
    argv: process.argv.slice(2),
    seed,
    machine: machineAfter(before, busy, {}),
    stopped: stopped?.why ?? null,
    warnings: [
      ...leftOut,
      ...(busy === null ? [] : [busy]),
      ...(stopped === null ? roundsWarnings(rounds, suite.repeats) : []),
    ],
  });
  const place = placeOfResult(to, stopped === null);
  const noFolder = createResultFolder(to);
  if (noFolder === null)
    writeWhole(place.file, `${JSON.stringify(addAnswer(result, answerBench), null, 2)}\n`);
  else terminal.err(noFolder);
  printResult(result, place, switches, terminal);
  return renderResult(page, { result, code: codeOf(stopped?.how) }, place.file, terminal);
}

const codeOf = (how: "interrupted" | "gone" | "capped" | undefined): ExitCode =>
  how === undefined ? EXIT.passed : how === "interrupted" ? EXIT.interrupted : EXIT.unreachable;
