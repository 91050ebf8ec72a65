// Scenarios share nothing, so each core tries its own. What comes out is in the order of the files.
import { Worker } from "node:worker_threads";
import { shareOut } from "../pool.node.ts";
import type { Trial } from "./trial.ts";
import type { ToTry, TrialSettings } from "./trial-worker.node.ts";

const MOST_THREADS = 4;

export interface Sized extends ToTry {
  readonly plays: number; // about how much there is to play
}

/** What is done when it is told to stop; else every file. */
export async function tryAll(
  files: readonly Sized[],
  settings: TrialSettings,
  onDone: (trial: Trial, done: number) => void,
  stop: Promise<"stop">,
): Promise<readonly Trial[]> {
  // Whatever takes long begins first, or one core would wait for it at the end.
  const longestFirst = [...files.entries()].toSorted(([, a], [, b]) => b.plays - a.plays);
  const trials: Trial[] = [];
  let done = 0;
  await shareOut({
    pieces: longestFirst
      .map(([at, { file, known }]) => [at, { file, known } satisfies ToTry] as const)
      .values(),
    mostThreads: Math.min(MOST_THREADS, files.length),
    newThread: () => threadOf(settings),
    stop,
    onDone: (answer, at) => {
      const tried = answer as Trial;
      trials[at] = tried;
      onDone(tried, ++done);
    },
  });
  return trials;
}

const threadOf = (settings: TrialSettings): Worker =>
  new Worker(new URL("trial-worker.node.ts", import.meta.url), {
    workerData: settings,
    execArgv: ["--disable-warning=ExperimentalWarning"], // taking the types off
  });
