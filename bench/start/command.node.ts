// One candidate of the suite start: milliseconds of a whole process, from its start to its end.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { readInput, printValue } from "../program.node.ts";

const { args } = readInput() as { readonly args: readonly string[] };
const root = join(import.meta.dirname, "../..");
const startMs = performance.now();
const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
const tookMs = performance.now() - startMs;
// A scenario that does not pass gives another exit code, and takes as long.
if (status !== 0 && status !== 1 && status !== 5)
  throw new Error(`node ${args.join(" ")} ended with ${status}: ${stderr}`);
printValue(tookMs);
