// Tries scenarios in several threads, because they share nothing. The results are in the order of the files.
import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { shareOut, type ShareOut, type SweepThreads, YOUNG_MB } from "../../kit/pool.node.ts";
import type { MutantTrial } from "./trial.ts";
import type { TrialFile, TrialSettings } from "./trial-worker.node.ts";

const MOST_THREADS = 4;

interface SizedFile {
  readonly file: TrialFile;
  readonly size: number; // estimated time, in runs of one variant
}

/** Returns the trials of all files, or those that were done when `stop` resolves. */
export async function tryAll(
  files: readonly SizedFile[],
  settings: TrialSettings,
  onDone: (trial: MutantTrial, done: number) => void,
  stop: Promise<"stop">,
  share: ShareOut = shareOut,
): Promise<readonly MutantTrial[]> {
  // Long files begin first: otherwise one core would still run them at the end.
  const longestFirst = [...files.entries()].toSorted(([, a], [, b]) => b.size - a.size);
  const trials: MutantTrial[] = [];
  let done = 0;
  await share({
    pieces: longestFirst.map(([at, { file }]) => [at, file] as const).values(),
    mostThreads: Math.min(MOST_THREADS, files.length),
    threads: TRIAL_THREADS,
    settings,
    stop,
    onDone: (answer, at) => {
      const trial = answer as MutantTrial;
      trials[at] = trial;
      onDone(trial, ++done);
    },
  });
  return trials;
}

export const TRIAL_THREADS: SweepThreads = {
  name: "mutants",
  start: (settings) => {
    const program = new URL("trial-worker.node.ts", import.meta.url);
    if (!existsSync(program))
      throw new Error("this Weir is compiled, and mutants need its sources: run it in a checkout");
    return new Worker(program, {
      workerData: settings,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
      execArgv: ["--disable-warning=ExperimentalWarning"], // about stripping types
    });
  },
};
