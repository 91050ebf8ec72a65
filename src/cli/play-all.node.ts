// Scenarios share nothing, so each core can play its own. What comes out does not depend on how many
// cores there were: it comes in the order of the tasks.
import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { player, type Finished, type Settings, type Task } from "./play.node.ts";

/** Fewer variants are done before another thread has loaded what it needs. */
const WORTH_A_THREAD = 150;
const MOST_THREADS = 4;
const BATCH = 3;

export const threadsFor = (tasks: readonly Task[]): number => {
  const variants = tasks.reduce((total, { scenario }) => total + scenario.variants.length, 0);
  return Math.min(availableParallelism(), MOST_THREADS, 1 + Math.floor(variants / WORTH_A_THREAD));
};

/** This thread takes part, so that one thread alone is no case of its own. */
export async function* playAll(
  tasks: readonly Task[],
  settings: Settings,
  threads: number,
): AsyncGenerator<Finished, void> {
  const waiting = [...tasks];
  const finished = new Map<number, Finished>();
  let news = Promise.withResolvers<void>();
  let failure: unknown = null;
  const workers = Array.from({ length: threads - 1 }, () => workerOf(settings));
  for (const worker of workers) {
    const give = (): void => worker.postMessage(waiting.splice(0, BATCH), []);
    worker.on("message", (done: readonly Finished[]) => {
      for (const each of done) finished.set(each.index, each);
      if (waiting.length > 0) give();
      news.resolve();
    });
    worker.on("error", (error) => {
      failure = error;
      news.resolve();
    });
    give();
  }
  const play = player(settings);
  try {
    for (const { index } of tasks) {
      while (!finished.has(index)) {
        if (failure !== null) throw failure;
        const mine = waiting.shift();
        if (mine === undefined) {
          await news.promise;
          news = Promise.withResolvers();
          continue;
        }
        // Signals and other threads are only heard between two turns of the event loop.
        await setImmediate();
        finished.set(mine.index, play(mine));
      }
      yield finished.get(index)!;
      finished.delete(index);
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

function workerOf(settings: Settings): Worker {
  const file = `./play-worker.node${extname(import.meta.filename)}`;
  return new Worker(new URL(file, import.meta.url), { workerData: settings });
}
