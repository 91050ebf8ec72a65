// Gateways and clients run in this thread, so that checks and output of the first thread cannot delay a request or a
// response.
import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { RealNotice, RealReply, RealSettings, RealWork } from "./real-run.node.ts";

enableCompileCache();
const { createRealRunner } = await import("./real-runner.node.ts");

const post = (message: RealReply | RealNotice): void => parentPort?.postMessage(message, []);
const player = createRealRunner(workerData as RealSettings, (line) =>
  post({ kind: "notice", line }),
);
parentPort?.on("message", (work: RealWork) => {
  void player(work).then(post);
});
