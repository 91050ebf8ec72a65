// The built command, for tests that start processes: it starts in about half the processor time of its source.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { digestOfSources, MADE_OF } from "#src/studies/queue/code.node.ts";

const root = join(import.meta.dirname, "..");
export const dist = join(root, "dist");

export const sourceEntry = join(root, "src/cli/weir.node.ts");

let isFresh: boolean | null = null;

/** Whether the sources are those of the build, as of the first question in this process. */
export function isBuilt(): boolean {
  const file = join(dist, MADE_OF);
  isFresh ??= existsSync(file) && readFileSync(file, "utf8") === digestOfSources(root);
  return isFresh;
}

let made: string | null = null;

/** Builds first if the sources have changed. */
export function entry(): string {
  if (made !== null) return made;
  if (!isBuilt()) build();
  made = join(dist, "cli/weir.node.js");
  return made;
}

function build(): void {
  const args = [join(root, "build/dist.node.ts")];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`the build fails: ${stderr}`);
}
