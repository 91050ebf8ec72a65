// Loaded before each test file (vitest.config.ts): threads run the built file of what they would run from source. A thread of `weir run`
// loads its modules from source in three times the processor time, which was half of what the tests of commands take. Where the sources
// have changed since the build, they run from source.
import { existsSync, readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import threads, { Worker, type WorkerOptions } from "node:worker_threads";
import { digestOfSources, MADE_OF } from "#src/studies/queue/code.node.ts";

const root = join(import.meta.dirname, "../..");
const sources = join(root, "src");
const dist = join(root, "dist");

let isFresh: boolean | null = null;

function isBuilt(): boolean {
  const file = join(dist, MADE_OF);
  isFresh ??= existsSync(file) && readFileSync(file, "utf8") === digestOfSources(root);
  return isFresh;
}

class BuiltWorker extends Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    super(fileToRun(file), options);
  }
}

/** The same file where it has no built one: trials of mutants change sources. */
function fileToRun(file: string | URL): string | URL {
  const source = relative(sources, file instanceof URL ? fileURLToPath(file) : file);
  if (source.startsWith("..") || !source.endsWith(".ts")) return file;
  const built = join(dist, source.replace(/\.ts$/, ".js"));
  return existsSync(built) && isBuilt() ? built : file;
}

if (threads.Worker.name !== BuiltWorker.name) {
  threads.Worker = BuiltWorker;
  syncBuiltinESMExports();
}
