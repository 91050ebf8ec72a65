// Reads a world in a second thread of the serving process, and returns problems only.
import { parentPort, workerData } from "node:worker_threads";
import { loadSettings } from "../../src/serving/load.node.ts";

const { errors } = loadSettings(new Map(), workerData as string, "always");
parentPort!.postMessage(errors, []);
