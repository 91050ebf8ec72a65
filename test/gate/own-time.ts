// Loaded before each test file (vitest.config.ts): how long its tests may take, and how long it has taken of its own.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { afterAll, expect, vi } from "vitest";
import { LONG_TESTS, LONGEST_TEST_S } from "./jobs.ts";

declare module "vitest" {
  export interface TaskMeta {
    /** Of a file: its seconds, without those in which its process waited for a processor. */
    ownSeconds?: number;
  }
}

const NANOSECONDS = 1e9;

/** How long this process has waited for a processor. Only Linux reports it; elsewhere the time of a file is that of the clock. */
function secondsOfWaiting(): number {
  if (process.platform !== "linux") return 0;
  const [, waitedNs] = readFileSync("/proc/self/schedstat", "utf8").split(" ");
  return Number(waitedNs) / NANOSECONDS;
}

const startMs = performance.now();
const startWaiting = secondsOfWaiting();

// More runs of a property take longer (test/runs.ts).
const factor = Math.max(1, Number(process.env["WEIR_RUNS"] ?? 1));
const file = relative(process.cwd(), expect.getState().testPath ?? "").replaceAll("\\", "/");
const timeoutMs = (LONG_TESTS.get(file)?.seconds ?? LONGEST_TEST_S) * factor * 1_000;
vi.setConfig({ testTimeout: timeoutMs, hookTimeout: timeoutMs });

afterAll(({}, suite) => {
  const seconds = (performance.now() - startMs) / 1_000;
  suite.file.meta.ownSeconds = seconds - (secondsOfWaiting() - startWaiting);
});
