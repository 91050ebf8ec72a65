// A share of a replay. The question is read from the arguments of the command, as there.
import { enableCompileCache } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { ReplayShare } from "../replay/share.ts";
import type { ReplaySettings } from "./share-replay.node.ts";

// Each thread loads all modules again, from the cache.
enableCompileCache();
const { requireValue } = await import("../reading/failure.ts");
const { whyNotSame } = await import("../reading/same-file.node.ts");
const { replayLogs } = await import("../replay/replay-logs.node.ts");
const { readWorldFile } = await import("../settings/world.ts");
const { replayQuestion } = await import("./replay-question.ts");
const { args, worlds: texts, seed, sources, files } = workerData as ReplaySettings;
for (const file of files) {
  const why = await whyNotSame(file);
  if (why !== null) throw new Error(why);
}
const worlds = new Map(
  [...texts].map(([file, text]) => [file, readWorldFile({ file, text }).configuration!]),
);
/** Other threads have shares of their own. */
const SIZE = { threads: 1 };
const NEVER = { isStopped: () => false, stop: new Promise<never>(() => {}), report: () => {} };

async function decide(share: ReplayShare): Promise<void> {
  const question = { ...requireValue(replayQuestion(args, worlds, seed)), share };
  const { replay } = requireValue(await replayLogs(sources, question, NEVER, null, SIZE));
  parentPort?.postMessage(replay.takeShare(), []);
}

parentPort?.on("message", (share: ReplayShare) => void decide(share));
