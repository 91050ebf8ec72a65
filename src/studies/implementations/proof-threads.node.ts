// The threads of proofs. A worker imports this file for every sweep; only a started thread loads the modules of proofs.
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
