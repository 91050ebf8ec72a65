// Scenarios share nothing, so each core can read and run its own. Results are in the order of the files, whatever the
// number of threads. The first thread only distributes work and reports, so that it always receives signals;
// run-small.node.ts runs small files in the first thread, because they end before a signal matters.
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { YOUNG_MB } from "../../kit/pool.node.ts";
import type { FileRun, FileSummary, RunSettings, FileWork } from "./file-runner.node.ts";
import type { SourceFile } from "./scenario-files.node.ts";

/** How many files justify one more thread: fewer files end before that thread has loaded its modules. */
const WORTH_A_THREAD = 12;
const MOST_THREADS = 4;

export const threadsFor = (files: number): number =>
  Math.min(availableParallelism(), MOST_THREADS, 1 + Math.floor(files / WORTH_A_THREAD));

export interface RunWatch {
  /** Called whenever a file begins or ends, with the files that are running. */
  readonly underWay: (files: ReadonlySet<string>) => void;
  /** Called before a sample is selected, which can take a while. */
  readonly choosing?: () => void;
  /** Called before a wait until the target's limits are unused. */
  readonly waitsFor?: (us: number) => void;
  /** Receives lines about a run that seems to hang. */
  readonly notice?: (line: string) => void;
  /** When this promise resolves, the run ends without its remaining results. */
  readonly stop: Promise<"stop">;
}

export interface RunThreads {
  readonly read: (sources: readonly SourceFile[]) => Promise<readonly FileSummary[]>;
  readonly run: (sources: readonly SourceFile[], watch: RunWatch) => AsyncGenerator<FileRun, void>;
  readonly dismiss: () => Promise<void>;
}

interface RunThread {
  readonly worker: Worker;
  readonly hasRead: Set<string>; // names of files
}

export function startRunThreads(count: number, settings: RunSettings): RunThreads {
  const threads = Array.from({ length: count }, () => ({
    worker: workerOf(settings),
    hasRead: new Set<string>(),
  }));
  return {
    read: async (sources) => {
      const all: FileSummary[] = [];
      for await (const read of runInThreads<FileSummary>(threads, "read", sources, UNWATCHED))
        all.push(read);
      return all;
    },
    run: (sources, watch) => runInThreads<FileRun>(threads, "run", sources, watch),
    dismiss: async () => void (await Promise.all(threads.map(({ worker }) => worker.terminate()))),
  };
}

/** Callbacks that do nothing, for a run that nothing watches. */
export const UNWATCHED: RunWatch = {
  underWay: () => undefined,
  stop: Promise.withResolvers<"stop">().promise,
};

/** Gives each thread one file at a time, preferably a file that this thread read. */
async function* runInThreads<Reply extends FileSummary | FileRun>(
  threads: readonly RunThread[],
  kind: FileWork["kind"],
  sources: readonly SourceFile[],
  { underWay, stop }: RunWatch,
): AsyncGenerator<Reply, void> {
  const replies = new Map(
    sources.map(({ file }) => [file, Promise.withResolvers<Reply>()] as const),
  );
  const waiting = [...sources];
  const busy = new Set<string>();
  let isOver = false;
  const reportUnderWay = (): void => {
    if (!isOver) underWay(busy);
  };
  const workThrough = async ({ worker, hasRead }: RunThread): Promise<void> => {
    while (waiting.length > 0) {
      const ownIndex = waiting.findIndex(({ file }) => hasRead.has(file));
      const [source] = waiting.splice(Math.max(ownIndex, 0), 1);
      const { file } = source!;
      hasRead.add(file);
      busy.add(file);
      reportUnderWay();
      const message = once(worker, "message");
      worker.postMessage({ kind, source: source! } satisfies FileWork, []);
      replies.get(file)!.resolve((await message)[0] as Reply);
      busy.delete(file);
      reportUnderWay();
    }
  };
  // Resolves after all replies, unless a thread fails.
  const work = Promise.all(threads.map(workThrough)).then(() => "done" as const);
  try {
    for (const reply of replies.values()) {
      const next = await Promise.race([stop, reply.promise, work]);
      if (next === "stop" || next === "done") return;
      yield next;
    }
  } finally {
    // After the last reply that the caller needs, no work begins, and later replies are dropped.
    isOver = true;
    waiting.length = 0;
  }
}

function workerOf(settings: RunSettings): Worker {
  const file = `./run-worker.node${extname(import.meta.filename)}`;
  return new Worker(new URL(file, import.meta.url), {
    workerData: settings,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
}
