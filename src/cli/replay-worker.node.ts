import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { ReplayShare } from "../studies/replay/share.ts";
import type { ReplaySettings } from "./share-replay.node.ts";

// Each thread loads all modules again; with this cache they need no compilation.
enableCompileCache();
const { startShares } = await import("./share-replay.node.ts");
const decide = await startShares(workerData as ReplaySettings);

parentPort?.on("message", (share: ReplayShare) => {
  void decide(share).then((decided) => parentPort?.postMessage(decided, []));
});
