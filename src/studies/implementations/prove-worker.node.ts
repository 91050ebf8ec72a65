import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { ProofSettings } from "./share-worlds.node.ts";

// Each thread loads all modules anew, which the compile cache makes faster.
enableCompileCache();
const { startTrials } = await import("./trials.node.ts");
const tryAll = await startTrials(workerData as ProofSettings);

parentPort?.on("message", (seeds: readonly number[]) => {
  void tryAll(seeds).then((trials) => parentPort?.postMessage(trials, []));
});
