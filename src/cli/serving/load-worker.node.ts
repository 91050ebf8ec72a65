import { parentPort, workerData } from "node:worker_threads";
import type { Reading } from "./load-apart.node.ts";
import { loadSettings } from "./load.node.ts";

const { flags, file } = workerData as Reading;
parentPort?.postMessage(loadSettings(flags, file), []);
