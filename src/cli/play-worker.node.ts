import { parentPort, workerData } from "node:worker_threads";
import { player, type Settings, type Task } from "./play.node.ts";

const play = player(workerData as Settings);
parentPort?.on("message", (tasks: readonly Task[]) => parentPort?.postMessage(tasks.map(play), []));
