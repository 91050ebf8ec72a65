import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { RunSettings, Work } from "./play.node.ts";

// A thread loads everything anew, and then from the cache.
enableCompileCache();
const { player } = await import("./play.node.ts");

const { read, play } = player(workerData as RunSettings);
parentPort?.on("message", ({ kind, source }: Work) => {
  if (kind === "read") parentPort?.postMessage(read(source), []);
  else void play(source).then((answer) => parentPort?.postMessage(answer, []));
});
