// Seeds share nothing, so each core tries its own. The results are in the order of the seeds.
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { shareOut, YOUNG_MB } from "../pool.node.ts";
import type { SeedTrial } from "./try-seed.ts";

const MOST_THREADS = 4;

/** Calls `isOver` before each batch; a batch that has begun is finished. */
export async function* trySeeds(
  from: number,
  count: number,
  batch: number,
  isOver: () => boolean,
): AsyncGenerator<SeedTrial, void> {
  const batches = Array.from({ length: Math.ceil(count / batch) }, (_, index) =>
    Array.from(
      { length: Math.min(batch, count - index * batch) },
      (__, at) => from + index * batch + at,
    ),
  );
  const answers = batches.map(() => Promise.withResolvers<readonly SeedTrial[]>());
  // The consumer may stop before the last batch.
  for (const { promise } of answers) promise.catch(() => undefined);
  const stopped = Promise.withResolvers<"stop">();
  const work = async (): Promise<void> => {
    try {
      await shareOut({
        pieces: untilOver(batches.entries(), isOver),
        mostThreads: Math.min(MOST_THREADS, batches.length),
        newThread: () =>
          new Worker(
            new URL(`swarm-worker.node${extname(import.meta.filename)}`, import.meta.url),
            {
              resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
            },
          ),
        stop: stopped.promise,
        onDone: (answer, at) => {
          answers[at]!.resolve(answer as readonly SeedTrial[]);
        },
      });
      for (const { resolve } of answers) resolve([]);
    } catch (error) {
      for (const { reject } of answers) reject(error);
    }
  };
  const working = work();
  try {
    for (const { promise } of answers) yield* await promise;
  } finally {
    stopped.resolve("stop");
    await working;
  }
}

function* untilOver<T>(all: Iterable<T>, isOver: () => boolean): Generator<T, void> {
  for (const item of all) {
    if (isOver()) return;
    yield item;
  }
}
