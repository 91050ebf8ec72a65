import { parentPort, workerData } from "node:worker_threads";
import type { Reading } from "./load-apart.node.ts";
import { loadSettings } from "./load.node.ts";

const { flags, file, withWorld } = workerData as Reading;
parentPort?.postMessage(loadSettings(flags, file, withWorld), []);
