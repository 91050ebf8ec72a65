// Identifies hidden limits in several threads. The limits share no state, so the results do not depend on the thread.
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { shareOut, type ShareOut, type SweepThreads, YOUNG_MB } from "../../kit/pool.node.ts";
import type { SelfCheckRow, SelfCheckSettings } from "./self-check.ts";

const MOST_THREADS = 16;
/** Hidden limits for each thread: with fewer, a further thread would still be loading when the first one finishes. */
const WORTH_A_THREAD = 3;

export const CHECK_THREADS: SweepThreads = {
  name: "identify",
  start: (settings) =>
    new Worker(new URL(`check-worker.node${extname(import.meta.filename)}`, import.meta.url), {
      workerData: settings,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    }),
};

/** Reports each hidden limit when it is done. To stop, resolve `stop`. */
export async function checkAll(
  hidden: number,
  settings: SelfCheckSettings,
  onDone: (rows: number) => void,
  stop: Promise<"stop">,
  share: ShareOut = shareOut,
): Promise<readonly SelfCheckRow[]> {
  const rows: SelfCheckRow[] = [];
  await share({
    pieces: Array.from({ length: hidden }, (_, index) => [index, index] as const).values(),
    mostThreads: Math.min(MOST_THREADS, Math.ceil(hidden / WORTH_A_THREAD)),
    threads: CHECK_THREADS,
    settings,
    stop,
    onDone: (row) => {
      onDone(rows.push(row as SelfCheckRow));
    },
  });
  return rows.toSorted((a, b) => a.index - b.index);
}
