// Tries seeds in threads, since seeds share no state. The results are in the order of the seeds.
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { YOUNG_MB, type ShareOut, type SweepThreads } from "../../kit/pool.node.ts";
import type { SeedTrial } from "./try-seed.ts";

const MOST_THREADS = 4;

export const SEED_THREADS: SweepThreads = {
  name: "swarm",
  start: () =>
    new Worker(new URL(`swarm-worker.node${extname(import.meta.filename)}`, import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    }),
};

export interface Seeds {
  readonly from: number;
  readonly count: number;
  readonly batch: number;
}

/** Yields the trials in batches; ends when `stop` resolves, before the first incomplete batch. */
export async function* trySeeds(
  { from, count, batch }: Seeds,
  stop: Promise<"stop">,
  share: ShareOut,
): AsyncGenerator<SeedTrial, void> {
  const batches = Array.from({ length: Math.ceil(count / batch) }, (_, index) =>
    Array.from(
      { length: Math.min(batch, count - index * batch) },
      (__, at) => from + index * batch + at,
    ),
  );
  const answers = batches.map(() => Promise.withResolvers<readonly SeedTrial[] | null>());
  // The consumer may stop early: errors of the remaining batches must not count as unhandled.
  for (const { promise } of answers) promise.catch(() => undefined);
  const ended = Promise.withResolvers<"stop">();
  const work = async (): Promise<void> => {
    try {
      await share({
        pieces: batches.entries(),
        mostThreads: Math.min(MOST_THREADS, batches.length),
        threads: SEED_THREADS,
        settings: null,
        stop: Promise.race([stop, ended.promise]),
        onDone: (answer, at) => {
          answers[at]!.resolve(answer as readonly SeedTrial[]);
        },
      });
      for (const { resolve } of answers) resolve(null);
    } catch (error) {
      for (const { reject } of answers) reject(error);
    }
  };
  const working = work();
  try {
    for (const { promise } of answers) {
      const trials = await promise;
      if (trials === null) return;
      yield* trials;
    }
  } finally {
    ended.resolve("stop");
    await working;
  }
}
