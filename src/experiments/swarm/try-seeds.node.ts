// Seeds share nothing, so each core tries its own. What comes out is in the order of the seeds.
import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { SeedTrial } from "./found.ts";

const MOST_THREADS = 4;

/** `isOver` is asked before each batch; what has begun is finished. */
export async function* trySeeds(
  from: number,
  count: number,
  batch: number,
  isOver: () => boolean,
): AsyncGenerator<SeedTrial, void> {
  const threads = Math.min(availableParallelism(), MOST_THREADS, Math.ceil(count / batch));
  const workers = Array.from({ length: threads }, workerOf);
  const batches = Array.from({ length: Math.ceil(count / batch) }, (_, index) =>
    Array.from(
      { length: Math.min(batch, count - index * batch) },
      (__, at) => from + index * batch + at,
    ),
  );
  const answers = batches.map(() => Promise.withResolvers<readonly SeedTrial[]>());
  // Whoever reads may stop before the last of them.
  for (const { promise } of answers) promise.catch(() => undefined);
  let next = 0;
  const work = async (worker: Worker): Promise<void> => {
    for (let index = next++; index < batches.length; index = next++) {
      const answer = answers[index]!;
      if (isOver()) answer.resolve([]);
      else
        await ask(worker, batches[index]!).then(answer.resolve, (error: unknown) => {
          answer.reject(error);
        });
    }
  };
  const working = workers.map(work);
  try {
    for (const { promise } of answers) yield* await promise;
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
    void working;
  }
}

function ask(worker: Worker, seeds: readonly number[]): Promise<readonly SeedTrial[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly SeedTrial[]>();
  worker.removeAllListeners();
  worker.once("message", resolve);
  worker.once("error", reject);
  worker.postMessage(seeds, []);
  return promise;
}

const workerOf = (): Worker =>
  new Worker(new URL(`swarm-worker.node${extname(import.meta.filename)}`, import.meta.url));
