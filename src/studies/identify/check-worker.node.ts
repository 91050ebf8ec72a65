import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { SelfCheckSettings } from "./self-check.ts";

// Each thread loads all modules anew, which the compile cache makes faster.
enableCompileCache();
const { checkOne } = await import("./self-check.ts");

parentPort?.on("message", (index: number) => {
  void checkOne(index, workerData as SelfCheckSettings).then((row) =>
    parentPort?.postMessage(row, []),
  );
});
