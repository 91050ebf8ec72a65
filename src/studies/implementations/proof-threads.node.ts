// Apart from what they compute: a worker has these threads of every sweep, and loads what one of them needs with it.
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { SweepThreads } from "../../kit/pool.node.ts";

export const PROOF_THREADS: SweepThreads = {
  name: "prove",
  start: (settings) =>
    new Worker(new URL(`prove-worker.node${extname(import.meta.filename)}`, import.meta.url), {
      workerData: settings,
    }),
};
