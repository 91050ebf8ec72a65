// A control of the suite logs: GoAccess counts the requests of each client, path and time of the first lines of the same
// file: of all of them it takes minutes. Its processor time cannot be read here, so that the value is by wall-clock time.
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { leaveOut, printValue, readInput } from "../program.node.ts";

const BYTES = 50_000_000;
const NEWLINE = 10;

const { folder } = readInput() as { readonly folder: string };
const start = Buffer.alloc(BYTES);
const log = openSync(join(folder, "access.log"), "r");
const bytes = start.subarray(0, readSync(log, start));
closeSync(log);
const whole = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1);
let lines = 0;
for (let at = whole.indexOf(NEWLINE); at >= 0; at = whole.indexOf(NEWLINE, at + 1)) lines++;
const name = join(folder, "start.log");
writeFileSync(name, whole);
const args = [name, "--log-format=COMBINED", "--no-global-config", "-o", `${name}.json`];
const startMs = performance.now();
const { error, status, stderr } = spawnSync("goaccess", args, { encoding: "utf8" });
const tookMs = performance.now() - startMs;
if (error !== undefined && "code" in error && error.code === "ENOENT")
  leaveOut("goaccess is not installed; install it by apt install goaccess");
if (status !== 0) throw new Error(`goaccess ended with ${status}: ${stderr}`);
printValue(lines / tookMs / 1000);
