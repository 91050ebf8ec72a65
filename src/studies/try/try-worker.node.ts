import { parentPort, workerData } from "node:worker_threads";
import { digestCandidate } from "./digested.node.ts";
import type { TryQuestion } from "./question.ts";
import { tryRunner, type TryPiece } from "./run-try.ts";

const run = tryRunner(workerData as TryQuestion);

parentPort?.on("message", (piece: TryPiece) => {
  parentPort?.postMessage(digestCandidate(piece.seed, run(piece)), []);
});
