// Separate from the computation: a worker needs the threads of every sweep, but loads the code of only one.
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
