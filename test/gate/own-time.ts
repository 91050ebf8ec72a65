// Loaded before each test file (vitest.config.ts): how long its tests may take, and how long the file takes of its own.
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { relative } from "node:path";
import { afterAll, expect, vi } from "vitest";
import { LONG_TESTS, LONGEST_TEST_S } from "./jobs.ts";

declare module "vitest" {
  export interface TaskMeta {
    /** Of a file: the seconds in which its process or one that it started computed, or it waited while the machine was idle. */
    ownSeconds?: number;
  }
}

const TICKS = 100; // of a second, in /proc/stat

/** How long the processors have been idle, on average. Elsewhere than on Linux a file counts only what it computes. */
function idleSeconds(): number {
  if (process.platform !== "linux") return 0;
  const [, , , , idle, waiting] = readFileSync("/proc/stat", "utf8").split("\n", 1)[0]!.split(/ +/);
  return (Number(idle) + Number(waiting)) / TICKS / availableParallelism();
}

/** What the commands and servers that it started have computed, as far as they have ended. */
function childSeconds(): number {
  if (process.platform !== "linux") return 0;
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)!.split(" ");
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}

const ownSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childSeconds() + idleSeconds();
};

const startSeconds = ownSeconds();

// More runs of a property take longer (test/runs.ts).
const factor = Math.max(1, Number(process.env["WEIR_RUNS"] ?? 1));
const file = relative(process.cwd(), expect.getState().testPath ?? "").replaceAll("\\", "/");
const timeoutMs = (LONG_TESTS.get(file)?.seconds ?? LONGEST_TEST_S) * factor * 1_000;
vi.setConfig({ testTimeout: timeoutMs, hookTimeout: timeoutMs });

afterAll(({}, suite) => {
  suite.file.meta.ownSeconds = ownSeconds() - startSeconds;
});
