// npm run rotation [-- KEYS]: changes the key of KEYS keys (10,000) while they are used and changed. Fails where one request fails, or one
// secret does not read afterwards.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sourceEntry } from "../../../built.ts";
import { rotateServing, type Phase, type Waited } from "./rotate-serving.node.ts";

const MOST_SHOWN = 10;
const BEFORE_MS = 5_000;

const [count = "10000"] = process.argv.slice(2);
const keys = Number(count);
if (!Number.isSafeInteger(keys) || keys < 1) {
  console.error("rotation: KEYS is an integer of at least 1");
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "weir-rotation-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const summary = ({ count: sent, medianMs, p99Ms, longestMs }: Waited): string =>
  `${sent} (median ${medianMs.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, longest ${longestMs.toFixed(0)} ms)`;
const line = (when: string, { requests, writes }: Phase): string =>
  `${when}: requests ${summary(requests)}, management writes ${summary(writes)}`;

const { ms, output, before, during, failures, read } = await rotateServing({
  folder,
  entry: sourceEntry,
  keys,
  beforeMs: BEFORE_MS,
});
process.stdout.write(output);
console.log(line("before the rotation", before));
console.log(line(`during its ${(ms / 1_000).toFixed(1)} s`, during));
for (const failure of failures.slice(0, MOST_SHOWN)) console.log(failure);
console.log(`${read} secrets were read afterwards, ${failures.length} failures`);
process.exitCode = failures.length === 0 ? 0 : 1;
