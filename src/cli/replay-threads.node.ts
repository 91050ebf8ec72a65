// Apart from what they compute: a worker has these threads of every sweep, and loads what one of them needs with it.
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { type SweepThreads, YOUNG_MB } from "../kit/pool.node.ts";

export const REPLAY_THREADS: SweepThreads = {
  name: "replay",
  start: (settings) =>
    new Worker(new URL(`replay-worker.node${extname(import.meta.filename)}`, import.meta.url), {
      workerData: settings,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    }),
};
