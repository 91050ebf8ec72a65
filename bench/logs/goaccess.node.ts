// A control of the suite logs: GoAccess counts the requests of each client, path and time of the same file. Its processor
// time cannot be read here, so that the value is by wall-clock time.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { leaveOut, printValue, readInput } from "../program.node.ts";

const { folder, lines } = readInput() as { readonly folder: string; readonly lines: number };
const name = join(folder, "access.log");
const args = [name, "--log-format=COMBINED", "--no-global-config", "-o", `${name}.json`];
const startMs = performance.now();
const { error, status, stderr } = spawnSync("goaccess", args, { encoding: "utf8" });
const tookMs = performance.now() - startMs;
if (error !== undefined && "code" in error && error.code === "ENOENT")
  leaveOut("goaccess is not installed; install it by apt install goaccess");
if (status !== 0) throw new Error(`goaccess ended with ${status}: ${stderr}`);
printValue(lines / tookMs / 1000);
