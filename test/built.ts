// The built command, for tests that start processes: it starts in about half the processor time of its source.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

export const sourceEntry = join(root, "src/cli/weir.node.ts");

let made: string | null = null;

/** Builds first if the sources have changed. */
export function entry(): string {
  if (made !== null) return made;
  const args = [join(root, "build/dist.node.ts")];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`the build fails: ${stderr}`);
  made = join(root, "dist/cli/weir.node.js");
  return made;
}
