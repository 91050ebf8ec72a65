// Processes: the real command, workers of the built one, a Redis of the test's own.
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { describe, expect, onTestFinished, test } from "vitest";
import { entry } from "../built.ts";
import { folderWith, quietEnvironment, weir } from "../cli/weir.ts";
import { readOutput } from "../cli/output.ts";
import { startRedis } from "../redis/server.ts";
import { redisIsThere } from "../redis/there.ts";

async function startWorker(url: string): Promise<ChildProcessWithoutNullStreams> {
  const args = [entry(), "worker", "--queue", url, "--threads", "1"];
  const child = spawn(process.execPath, args, { cwd: folderWith({}), env: quietEnvironment });
  onTestFinished(() => void child.kill("SIGKILL"));
  const { waitFor } = readOutput([child.stdout, child.stderr], once(child, "close"));
  await waitFor("1 thread for sweeps of ");
  return child;
}

describe.skipIf(!redisIsThere)("a sweep on several machines", () => {
  test("is the document of one machine, though a worker is killed within a piece", async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const sweep = ["run", "--swarm", "80", "--json", "--no-save"];
    const alone = await weir(folderWith({}), sweep);
    const [killed, other] = await Promise.all([startWorker(redis.url), startWorker(redis.url)]);
    const looking = new Redis(redis.url);
    onTestFinished(() => looking.disconnect());
    const kill = async (): Promise<void> => {
      // Both have a piece under way.
      for (let active = 0; active < 2; await sleep(5)) {
        const [list] = await looking.keys("weir:*:active");
        active = list === undefined ? 0 : await looking.llen(list);
      }
      killed.kill("SIGKILL");
    };
    const [shared] = await Promise.all([
      weir(folderWith({}), [...sweep, "--queue", redis.url]),
      kill(),
    ]);
    expect(shared.out).toBe(alone.out);
    expect(shared.code).toBe(0);
    expect(await looking.keys(`weir:*:${"[0-9a-f]".repeat(64)}`)).toEqual([]); // nothing of the sweep is left
    const { text } = readOutput([other.stdout, other.stderr], once(other, "close"));
    other.kill("SIGTERM");
    expect(await once(other, "close")).toEqual([0, null]);
    expect(text()).toContain("stopped after ");
  });
});
