import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { Settings, Task } from "./play.node.ts";

// A thread loads everything anew, and then from the cache.
enableCompileCache();
const { player } = await import("./play.node.ts");

const play = player(workerData as Settings);
parentPort?.on("message", (tasks: readonly Task[]) => parentPort?.postMessage(tasks.map(play), []));
