import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { RunSettings, FileWork } from "./file-runner.node.ts";

// Each thread loads all modules again; with this cache they need no compilation.
enableCompileCache();
const { createFileRunner } = await import("./file-runner.node.ts");

const { read, run } = createFileRunner(workerData as RunSettings);
parentPort?.on("message", ({ kind, source }: FileWork) => {
  if (kind === "read") parentPort?.postMessage(read(source), []);
  else void run(source).then((answer) => parentPort?.postMessage(answer, []));
});
