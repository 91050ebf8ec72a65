// Runs cells in threads. Cells share no state, so the results do not depend on which thread runs a cell.
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { ShareOut, SweepThreads } from "../../kit/pool.node.ts";
import type { CellSettings } from "./cell-worker.node.ts";
import type { Figures } from "./metrics.ts";

const MOST_THREADS = 16;
/** Fewest cells per thread: a thread with fewer would still be loading when the other threads end. */
const WORTH_A_THREAD = 12;

export const CELL_THREADS: SweepThreads = {
  name: "pareto",
  start: (settings) =>
    new Worker(new URL(`cell-worker.node${extname(import.meta.filename)}`, import.meta.url), {
      workerData: settings,
    }),
};

/** Reports each cell when it is done. To stop, resolve `stop`. */
export const runCells = (
  places: readonly number[],
  settings: CellSettings,
  onDone: (place: number, figures: readonly Figures[]) => void,
  stop: Promise<"stop">,
  share: ShareOut,
): Promise<void> =>
  share({
    pieces: places.map((place) => [place, place] as const).values(),
    mostThreads: Math.min(MOST_THREADS, Math.ceil(places.length / WORTH_A_THREAD)),
    threads: CELL_THREADS,
    settings,
    stop,
    onDone: (answer, place) => {
      onDone(place, answer as readonly Figures[]);
    },
  });
