// Reads a world in a thread beside the one that serves, and hands nothing over.
import { parentPort, workerData } from "node:worker_threads";
import { loadSettings } from "../../src/serving/load.node.ts";

const { errors } = loadSettings(new Map(), workerData as string, "always");
parentPort!.postMessage(errors, []);
