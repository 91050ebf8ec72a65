// Cells share nothing, so each core plays its own. Which one played a cell does not show in what comes out.
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { shareOut } from "../pool.node.ts";
import type { CellSettings } from "./cell-worker.node.ts";
import type { Figures } from "./metrics.ts";

const MOST_THREADS = 16;
/** Fewer cells are done before another thread has loaded what it needs. */
const WORTH_A_THREAD = 12;

/** Tells each cell as it is done; whoever wants no more resolves `stop`. */
export const playAll = (
  places: readonly number[],
  settings: CellSettings,
  onDone: (place: number, figures: readonly Figures[]) => void,
  stop: Promise<"stop">,
): Promise<void> =>
  shareOut({
    pieces: places.map((place) => [place, place] as const).values(),
    mostThreads: Math.min(MOST_THREADS, Math.ceil(places.length / WORTH_A_THREAD)),
    newThread: () => threadOf(settings),
    stop,
    onDone: (answer, place) => {
      onDone(place, answer as readonly Figures[]);
    },
  });

const threadOf = (settings: CellSettings): Worker =>
  new Worker(new URL(`cell-worker.node${extname(import.meta.filename)}`, import.meta.url), {
    workerData: settings,
  });
