import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { SearchSettings } from "./compute-pieces.node.ts";
import type { SearchPiece } from "./search.ts";

// Each thread loads all modules again, from the cache.
enableCompileCache();
const { requireValue } = await import("../../reading/failure.ts");
const { createRunner } = await import("./run-pattern.ts");
const { computePiece } = await import("./search.ts");
const { question, ...effort } = workerData as SearchSettings;
const runner = requireValue(createRunner(question));

parentPort?.on("message", (piece: SearchPiece) => {
  parentPort?.postMessage(computePiece(question, runner, effort, piece), []);
});
