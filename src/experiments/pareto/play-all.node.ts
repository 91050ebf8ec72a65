// Cells share nothing, so each core plays its own. Which one played a cell does not show in what comes out.
import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Figures } from "./metrics.ts";
import type { CellSettings } from "./cell-worker.node.ts";

const MOST_THREADS = 16;
/** Fewer cells are done before another thread has loaded what it needs. */
const WORTH_A_THREAD = 12;

/** Tells each cell as it is done; whoever wants no more resolves `stop`. */
export async function playAll(
  places: readonly number[],
  settings: CellSettings,
  onDone: (place: number, figures: readonly Figures[]) => void,
  stop: Promise<"stop">,
): Promise<void> {
  const waiting = [...places];
  const worth = Math.ceil(places.length / WORTH_A_THREAD);
  const threads = Math.min(availableParallelism(), MOST_THREADS, worth);
  await Promise.all(
    Array.from({ length: threads }, async () => {
      const worker = workerOf(settings);
      try {
        for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) {
          const answer = await Promise.race([stop, ask(worker, place)]);
          if (answer === "stop") return;
          onDone(place, answer);
        }
      } finally {
        await worker.terminate();
      }
    }),
  );
}

function ask(worker: Worker, place: number): Promise<readonly Figures[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Figures[]>();
  worker.removeAllListeners();
  worker.once("message", resolve);
  worker.once("error", reject);
  worker.postMessage(place, []);
  return promise;
}

const workerOf = (settings: CellSettings): Worker =>
  new Worker(new URL(`cell-worker.node${extname(import.meta.filename)}`, import.meta.url), {
    workerData: settings,
  });
