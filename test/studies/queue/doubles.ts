// The sweep of the tests: it doubles numbers, each in a given time.
import { Worker } from "node:worker_threads";
import type { SweepThreads } from "#src/kit/pool.node.ts";

const PROGRAM = `
const { parentPort, workerData } = require("node:worker_threads");
parentPort.on("message", (piece) => {
  if (piece === "fail") throw new Error("the piece fails");
  setTimeout(() => parentPort.postMessage(new Map([[-0, workerData.factor * piece]])), workerData.delayMs);
});`;

export const DOUBLES: SweepThreads = {
  name: "doubles",
  start: (settings) => new Worker(PROGRAM, { eval: true, workerData: settings }),
};

export const CODE = { digest: "0123456789abcdef", name: "commit 01234567" };
/** Of a process with other sources. */
export const OTHER = { digest: "fedcba9876543210", name: "commit fedcba98" };
