import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { ProofSettings } from "./share-worlds.node.ts";

// Each thread loads all modules again, from the cache.
enableCompileCache();
const { requireValue } = await import("../../reading/failure.ts");
const { createImplementationDriver } = await import("../../drivers/remote.node.ts");
const { requireSame } = await import("./share-worlds.node.ts");
const { AT_A_TIME, tryWorld } = await import("./trials.node.ts");

const implementation = requireValue(await requireSame(workerData as ProofSettings));
const driver = createImplementationDriver(implementation, true);

async function tryAll(seeds: readonly number[]): Promise<void> {
  const trials = [];
  for (let at = 0; at < seeds.length; at += AT_A_TIME) {
    const some = seeds.slice(at, at + AT_A_TIME);
    trials.push(...(await Promise.all(some.map((seed) => tryWorld(implementation, driver, seed)))));
  }
  parentPort?.postMessage(trials, []);
}

parentPort?.on("message", (seeds: readonly number[]) => void tryAll(seeds));
