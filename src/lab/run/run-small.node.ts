// Runs small files in the first thread: they end before another thread would have loaded its modules. Larger runs use
// threads, because the first thread receives no signal while it runs a variant.
import { setImmediate as turn } from "node:timers/promises";
import type { FileRun, RunSettings } from "./file-runner.node.ts";
import { startRunThreads, threadsFor, type RunThreads, type RunWatch } from "./run-threads.node.ts";
import type { SourceFile } from "./scenario-files.node.ts";

/** The most characters in all files of a small run. Characters can be counted before the files are decoded. */
const SMALL_TEXTS = 200_000;

/** Uses threads, unless all files are small. */
export async function startRun(
  sources: readonly SourceFile[],
  settings: RunSettings,
): Promise<RunThreads> {
  const count = threadsFor(sources.length);
  const isSmall =
    count === 1 &&
    settings.store === undefined && // the time of its operations is unknown
    sources.reduce((sum, { text }) => sum + text.length, 0) <= SMALL_TEXTS &&
    !sources.some(({ text }) => text.includes("trace")); // a trace file may have any length
  return isSmall ? startHere(settings) : startRunThreads(count, settings);
}

async function startHere(settings: RunSettings): Promise<RunThreads> {
  const { createFileRunner } = await import("./file-runner.node.ts");
  let runner = createFileRunner(settings);
  let isSmall = false;
  let threads: RunThreads | null = null;
  async function* runHere(
    sources: readonly SourceFile[],
    { underWay, stop }: RunWatch,
  ): AsyncGenerator<FileRun, void> {
    for (const source of sources) {
      if ((await Promise.race([stop, turn()])) === "stop") return;
      underWay(new Set([source.file]));
      const run = await runner.run(source);
      underWay(new Set());
      yield run;
    }
  }
  return {
    read: async (sources) => {
      const read = sources.map((source) => runner.read(source));
      isSmall = read.every((file) => file.isSmall);
      return read;
    },
    run: (sources, watch) => {
      if (isSmall) return runHere(sources, watch);
      runner = createFileRunner(settings); // drops the scenarios that it has read
      threads = startRunThreads(1, settings);
      return threads.run(sources, watch);
    },
    dismiss: async () => threads?.dismiss(),
  };
}
