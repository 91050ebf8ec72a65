// Prepares the suite start: builds dist, so that the present sources are measured, and fills the compile cache.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

for (const args of [["build/dist.node.ts"], ["dist/cli/weir.node.js", "--help"]]) {
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}: ${stderr}`);
}
