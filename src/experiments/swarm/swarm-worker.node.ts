import { enableCompileCache } from "node:module";
import { parentPort } from "node:worker_threads";

// A thread loads everything anew, and then from the cache.
enableCompileCache();
const { digest } = await import("../../scenario/history/digest.node.ts");
const { trySeed } = await import("./found.ts");

parentPort?.on("message", (seeds: readonly number[]) =>
  parentPort?.postMessage(
    seeds.map((seed) => trySeed(seed, digest)),
    [],
  ),
);
