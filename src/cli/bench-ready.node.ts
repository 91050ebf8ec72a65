// Checks before anything is measured: what the benchmark needs exists, and its result can be saved.
import { extname, join } from "node:path";
import { createEnding, type BenchEnding } from "../studies/bench/ending.node.ts";
import { openResultFiles, type ResultFiles } from "../studies/bench/result-files.node.ts";
import type { BenchPlan } from "../studies/bench/plan.ts";
import { findBusyReason } from "../studies/bench/resources/processes.node.ts";
import { dependsOnCapacity } from "../studies/bench/world-of.ts";
import { isRedisThere, NO_REDIS } from "../lab/drivers/own-redis.node.ts";
import { installLine } from "../kit/command-line.ts";
import { Failure } from "../kit/reading/failure.ts";
import type { BenchOptions } from "./bench-options.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { createResultFolder } from "../kit/reading/untracked.node.ts";
import { whyNoTarget } from "./target-answers.node.ts";
import { whyUnreadable } from "../kit/reading/text-file.node.ts";

/** The path of the file that runs `weir`; benchmarks start it for each gateway that they measure. */
export const WEIR = join(import.meta.dirname, `weir.node${extname(import.meta.filename)}`);

/** Returns a function that returns the seconds since this call. */
export function startStopwatch(): () => number {
  const sinceMs = performance.now();
  return () => (performance.now() - sinceMs) / 1_000;
}

/** The first SIGINT or SIGTERM ends the benchmark in order; the same signal again terminates the process. */
export function endingBySignals(): BenchEnding {
  const over = createEnding();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => over.end({ how: "interrupted", why: "it was interrupted" }));
  return over;
}

/** Returns which package, program or target the benchmark needs but cannot use, and the exit code; null if none. */
export async function whyAway(
  { subjects }: Pick<BenchPlan, "subjects">,
  { target }: Pick<BenchOptions, "target">,
  key: string | null,
): Promise<{ readonly sentence: string; readonly code: ExitCode } | null> {
  if (!canResolve(GENERATOR))
    return {
      sentence: `it needs the package ${GENERATOR}: ${installLine(GENERATOR)}`,
      code: EXIT.unreachable,
    };
  if (target !== null) return whyNoTarget(target, key);
  const wantsRedis = subjects.some(({ factors }) => factors?.store === "redis");
  return wantsRedis && !isRedisThere()
    ? { sentence: `some cells use Redis, and ${NO_REDIS}`, code: EXIT.unreachable }
    : null;
}

/** The load generator is an optional peer dependency, because an installation that only serves does not need it. */
const GENERATOR = "autocannon";

function canResolve(name: string): boolean {
  try {
    return import.meta.resolve(name) !== "";
  } catch {
    return false;
  }
}

/** Lists reasons why `weir compare` cannot use all of this result. Other load on a `--target` is not detected. */
export async function findDoubts(
  { subjects }: Pick<BenchPlan, "subjects">,
  { target, capacity }: Pick<BenchOptions, "target" | "capacity">,
): Promise<readonly string[]> {
  const busy = target === null ? await findBusyReason() : null;
  const following = subjects.filter(
    ({ factors, loadFactors }) =>
      target === null && capacity === null && dependsOnCapacity(factors ?? loadFactors),
  );
  const names = following.map(({ name }) => name).join(", ");
  return [
    ...(busy === null ? [] : [busy]),
    ...(names === ""
      ? []
      : [
          `the load of ${names} follows from the capacity that is measured first: weir compare leaves them out, unless both runs have the same --capacity N`,
        ]),
  ];
}

/** Opens the result files before anything is measured. Returns a failure if results cannot be saved at `file`. */
export function openResultsAt(file: string): ResultFiles | Failure {
  const noFolder = createResultFolder(file);
  if (noFolder !== null) return new Failure(noFolder);
  try {
    return openResultFiles(file);
  } catch (error) {
    return new Failure(`${file}: ${whyUnreadable(error)}`);
  }
}
