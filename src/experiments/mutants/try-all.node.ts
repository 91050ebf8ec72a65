// Scenarios share nothing, so each core tries its own. What comes out is in the order of the files.
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
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
  const waiting = [...files.keys()].toSorted((a, b) => files[b]!.plays - files[a]!.plays);
  const trials: Trial[] = [];
  let done = 0;
  const threads = Math.min(availableParallelism(), MOST_THREADS, files.length);
  await Promise.all(
    Array.from({ length: threads }, async () => {
      const worker = workerOf(settings);
      try {
        for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
          const tried = await Promise.race([stop, ask(worker, files[index]!)]);
          if (tried === "stop") return;
          trials[index] = tried;
          onDone(tried, ++done);
        }
      } finally {
        await worker.terminate();
      }
    }),
  );
  return trials;
}

function ask(worker: Worker, { file, known }: ToTry): Promise<Trial> {
  const { promise, resolve, reject } = Promise.withResolvers<Trial>();
  worker.removeAllListeners();
  worker.once("message", resolve);
  worker.once("error", reject);
  worker.postMessage({ file, known } satisfies ToTry, []);
  return promise;
}

const workerOf = (settings: TrialSettings): Worker =>
  new Worker(new URL("trial-worker.node.ts", import.meta.url), {
    workerData: settings,
    execArgv: ["--disable-warning=ExperimentalWarning"], // taking the types off
  });
