// Starts threads for replays. A worker imports such a file for every sweep, but the computation of only one sweep.
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
