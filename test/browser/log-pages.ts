// The pages of logs that the tests open: a log whose clients and file have hostile names, and traffic in words.
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import type { ReplayResult } from "#src/studies/replay/result.ts";
import { entry } from "../built.ts";
import { sampleLogs } from "../docs/sample-logs.ts";
import { once } from "./pages.ts";

export const HOSTILE_KEYS = [
  "<script>globalThis.hostile = 1</script>",
  "</script><img src=x onerror='globalThis.hostile = 1'>",
  `" onload="globalThis.hostile = 1`,
  "turned \u202Earound\u2066",
  "control \u0001\u001B[31m and\nlines",
  "a".repeat(5000),
];

const FILE = `<b title="x">&'.ndjson`;

/** Each hostile client sends a burst a minute, in whole seconds, so that all are refused by a small limit. */
function hostileLog(): string {
  const start = Date.UTC(2026, 0, 5, 10);
  const lines = HOSTILE_KEYS.flatMap((key, client) =>
    Array.from({ length: 100 + 10 * client }, (_, i) => ({
      time:
        new Date(start + 1000 * Math.floor((i * 300) / (100 + client))).toISOString().slice(0, 19) +
        "Z",
      key,
    })),
  );
  const burst = Array.from({ length: 90 }, () => ({ time: "2026-01-05T10:02:00Z", key: "burst" }));
  return [...lines, ...burst]
    .toSorted((a, b) => (a.time < b.time ? -1 : 1))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

const weir = async (...args: readonly string[]): Promise<string> => {
  const options = { cwd: inject("folder"), maxBuffer: 1 << 26 };
  return (await promisify(execFile)(process.execPath, [entry(), ...args], options)).stdout;
};

const OF_REPLAY = ["replay", FILE, "--key", "field:key"];

export const pageOfReplay = (): Promise<string> =>
  once("replay.html", async (file) => {
    writeFileSync(join(inject("folder"), FILE), hostileLog());
    await weir(...OF_REPLAY, "--limit", "30,15/1m", "--html", file);
  });

export async function replayAt(rates: readonly number[]): Promise<ReplayResult> {
  const algorithms = ["--algorithm", "sliding_log,fixed_window"];
  const text = await weir(
    ...OF_REPLAY,
    "--limit",
    `${rates.join(",")}/1m`,
    ...algorithms,
    "--json",
  );
  return JSON.parse(text) as ReplayResult;
}

export const pageOfRecommendation = (): Promise<string> =>
  once("recommend.html", async (file) => {
    writeFileSync(join(inject("folder"), "access.log"), sampleLogs["access.log"]!);
    const target = ["--refuse-at-most", "5%", "--clients-at-most", "5%"];
    const bad = ["--bad", "path = /items"];
    await weir("recommend", "access.log", "--per", "1s,1m", ...target, ...bad, "--html", file);
  });

export const pageOfTry = (): Promise<string> =>
  once("try.html", async (file) => {
    const traffic = ["--clients", "5", "--rate", "1/s", "--bursts", "30@1m", "--for", "1m"];
    await weir("try", "--limit", "60/1m", ...traffic, "--retry", "backoff", "--html", file);
  });

/** The limit that moves over clients, of the first window. */
export const FIELD = ".limit";
