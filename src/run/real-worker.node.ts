// Gateways and sender have a thread of their own, so that nothing that is judged or printed meanwhile comes
// between a request and its answer.
import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { RealAnswer, RealSettings, RealWork } from "./play-real.node.ts";

enableCompileCache();
const { realPlayer } = await import("./real-player.node.ts");

const player = realPlayer(workerData as RealSettings);
parentPort?.on("message", (work: RealWork) => {
  void player(work).then((answer: RealAnswer) => parentPort?.postMessage(answer, []));
});
