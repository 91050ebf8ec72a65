import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { SearchSettings } from "./compute-pieces.node.ts";
import type { SearchPiece } from "./search.ts";

// Each thread loads all modules anew, which the compile cache makes faster.
enableCompileCache();
const { createComputer } = await import("./worst.ts");
const compute = createComputer(workerData as SearchSettings);

parentPort?.on("message", (piece: SearchPiece) => {
  parentPort?.postMessage(compute(piece), []);
});
