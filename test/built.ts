// The built command, for tests that start processes: it starts in about half the processor time of its source.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ownBuild } from "#src/studies/queue/code.node.ts";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

export const sourceEntry = join(root, "src/cli/weir.node.ts");

let made: string | null = null;

/** Builds first if the sources have changed since the build. */
export function entry(): string {
  if (made !== null) return made;
  if (ownBuild() === null) build();
  made = join(dist, "cli/weir.node.js");
  return made;
}

function build(): void {
  const args = [join(root, "build/dist.node.ts")];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`the build fails: ${stderr}`);
}
