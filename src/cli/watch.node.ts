// `--watch`: the same command in a process of its own, again after every change, so that changed code
// is loaded anew as well.
import { spawn } from "node:child_process";
import { existsSync, statSync, watch as watchFolder } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { EXIT, type ExitCode } from "./exit.ts";
import { DEFAULT_FOLDER } from "./scenario-files.node.ts";
import type { Terminal } from "./terminal.ts";

/** What a run writes itself, such as histories, is no reason to run again. */
const CAUSE = /\.(?:ya?ml|csv|ts|js)$/;

/** An editor writes a file in several steps. */
const QUIET_MS = 100;

export async function watch(paths: readonly string[], { err }: Terminal): Promise<ExitCode> {
  const code = join(import.meta.dirname, "..");
  const folders = new Set([...(paths.length === 0 ? [DEFAULT_FOLDER] : paths).map(folderOf), code]);
  let changed = Promise.withResolvers<void>();
  const watchers = [...folders].map((folder) =>
    watchFolder(folder, { recursive: true }, (_event, file) => {
      if (file === null || CAUSE.test(file)) changed.resolve();
    }),
  );
  const ended = Promise.withResolvers<"end">();
  process.once("SIGINT", () => ended.resolve("end"));
  for (;;) {
    changed = Promise.withResolvers();
    await runOnce();
    err(`watching ${[...folders].join(", ")}; Ctrl-C ends`);
    // Who wants to end does so even where a change has come as well.
    if ((await Promise.race([ended.promise, changed.promise])) === "end") break;
    await setTimeout(QUIET_MS);
  }
  for (const watcher of watchers) watcher.close();
  return EXIT.interrupted;
}

async function runOnce(): Promise<void> {
  const [node, script, ...args] = process.argv;
  const child = spawn(
    node!,
    [...process.execArgv, script!, ...args.filter((arg) => arg !== "--watch")],
    { stdio: "inherit" },
  );
  const done = Promise.withResolvers<void>();
  child.once("close", () => done.resolve());
  child.once("error", done.reject);
  await done.promise;
}

/** The nearest folder that is there: of a file, and of a pattern the part before its first star. */
function folderOf(path: string): string {
  if (existsSync(path)) return statSync(path).isDirectory() ? path : dirname(path);
  return dirname(path) === path ? "." : folderOf(dirname(path));
}
