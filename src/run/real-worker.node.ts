// Gateways and load have a thread of their own, so that checks and output of the first thread cannot delay a
// request or its response.
import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { RealReply, RealSettings, RealWork } from "./real-run.node.ts";

enableCompileCache();
const { createRealRunner } = await import("./real-runner.node.ts");

const player = createRealRunner(workerData as RealSettings);
parentPort?.on("message", (work: RealWork) => {
  void player(work).then((answer: RealReply) => parentPort?.postMessage(answer, []));
});
