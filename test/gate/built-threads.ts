// Loaded before each test file (vitest.config.ts): threads run the built file of what they would run from source. A thread of `weir run`
// loads its modules from source in three times the processor time, which was half of what the tests of commands take. Where the sources
// have changed since the build, they run from source.
import { existsSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import threads, { Worker, type WorkerOptions } from "node:worker_threads";
import { ownBuild } from "#src/studies/queue/code.node.ts";

const sources = join(import.meta.dirname, "../../src");

class BuiltWorker extends Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    super(fileToRun(file), options);
  }
}

/** The same file where it has no built one: trials of mutants change sources. */
function fileToRun(file: string | URL): string | URL {
  const source = relative(sources, file instanceof URL ? fileURLToPath(file) : file);
  if (source.startsWith("..") || !source.endsWith(".ts")) return file;
  const dist = ownBuild();
  const built = dist === null ? null : join(dist, source.replace(/\.ts$/, ".js"));
  return built !== null && existsSync(built) ? built : file;
}

if (threads.Worker.name !== BuiltWorker.name) {
  threads.Worker = BuiltWorker;
  syncBuiltinESMExports();
}
