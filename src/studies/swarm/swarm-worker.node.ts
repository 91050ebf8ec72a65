import { enableCompileCache } from "node:module";
import { parentPort } from "node:worker_threads";

// Each thread loads all modules anew, which the compile cache makes faster.
enableCompileCache();
const { digest } = await import("../../lab/scenario/history/digest.node.ts");
const { trySeed } = await import("./try-seed.ts");

parentPort?.on("message", (seeds: readonly number[]) =>
  parentPort?.postMessage(
    seeds.map((seed) => trySeed(seed, digest)),
    [],
  ),
);
