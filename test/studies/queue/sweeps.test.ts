// Processes: the real commands, workers of their own, a Redis of the test's own.
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { requireSame } from "#src/studies/implementations/share-worlds.node.ts";
import { findImplementation } from "#src/lab/implementations/catalogue.node.ts";
import { digestOf } from "#src/lab/implementations/home.node.ts";
import { requireValue } from "#src/kit/reading/failure.ts";
import { messageOf } from "../../kit/reading/message-of.ts";
import { entry, sourceEntry } from "../../built.ts";
import { sample } from "../../cli/samples.ts";
import { folderWith, quietEnvironment, weir } from "../../cli/weir.ts";
import { readOutput } from "../../cli/output.ts";
import { startRedis, type RedisServer } from "../../redis/server.ts";
import { redisIsThere } from "../../redis/there.ts";

const lineOf = (_: unknown, at: number): string =>
  JSON.stringify({
    time: new Date(1_700_000_000_000 + 10 * at).toISOString(),
    ip: `10.0.0.${at % 7}`,
  });

/** Workers of the first ones need none of them. */
const FILES = Object.fromEntries([
  ...["one", "two", "three"].map((name) => [`a/${name}.yaml`, sample(`a/${name}`)]),
  ["access.log", Array.from({ length: 2_000 }, lineOf).join("\n")],
]);

/** A worker is killed within a piece of the first two. */
const SWEEPS: readonly (readonly string[])[] = [
  ["run", "--swarm", "20", "--json", "--no-save"],
  ["pareto", "--quick", "--traffic", "uniform", "--gateways", "1", "--json"],
  ["worst", "--algorithm", "drl", "--rate", "10", "--per", "1s", "--search-time", "1s", "--json"],
  ["implementations", "prove", "./my-limiter", "--worlds", "25", "--json"],
  ["replay", "access.log", "--limit", "1/1s", "--json"],
  ["identify", "--self-check", "2", "--requests", "300", "--seed", "5", "--json"],
  ["mutants", "limits", "--scenarios", "a", "--json"],
];

/** The queue of `weir worst` is that of a leaky bucket. */
const flagOf = ([command]: readonly string[]): string =>
  command === "worst" ? "--workers" : "--queue";

/** A proof has the time that it took. */
const withoutTime = (out: string): string => out.replaceAll(/"(?:seconds|date)": .*/g, "");

let redis: RedisServer;
let looking: Redis;

async function startWorker(command: string = entry()): Promise<ChildProcessWithoutNullStreams> {
  const args = [command, "worker", "--queue", redis.url, "--threads", "1"];
  const child = spawn(process.execPath, args, { cwd: import.meta.dirname, env: quietEnvironment });
  const { waitFor } = readOutput([child.stdout, child.stderr], once(child, "close"));
  await waitFor("1 thread for sweeps of ");
  return child;
}

describe.skipIf(!redisIsThere)("a sweep on several machines", () => {
  let worker: ChildProcessWithoutNullStreams | null = null;
  let command = "";

  beforeAll(async () => {
    redis = await startRedis();
    looking = new Redis(redis.url);
  });

  afterAll(async () => {
    worker?.kill("SIGKILL");
    looking.disconnect();
    await redis.stop();
  });

  /** The only worker that is left running from test to test. Mutants need the source, which takes longer to start. */
  const requireWorker = async ([sweep]: readonly string[]): Promise<void> => {
    const wanted = sweep === "mutants" ? sourceEntry : entry();
    if (command === wanted) return;
    if (worker !== null) {
      worker.kill("SIGTERM");
      await once(worker, "close");
    }
    worker = await startWorker(wanted);
    command = wanted;
  };

  /** Once both workers have a piece under way. */
  const killWithinAPiece = async (
    doomed: ChildProcessWithoutNullStreams,
    isOver: () => boolean,
  ): Promise<void> => {
    for (let active = 0; active < 2; await sleep(2)) {
      if (isOver()) throw new Error("the sweep was over before both workers had a piece");
      const [list] = await looking.keys("weir:*:active");
      active = list === undefined ? 0 : await looking.llen(list);
    }
    doomed.kill("SIGKILL");
  };

  test.each(SWEEPS.map((sweep, index) => [sweep.join(" "), sweep, index < 2] as const))(
    "%s: the document of one machine",
    async (_, sweep, isKilled) => {
      await requireWorker(sweep);
      const folder = folderWith(FILES);
      await weir(folder, ["implementations", "new", "my-limiter"]);
      const alone = await weir(folder, sweep);
      const doomed = isKilled ? await startWorker() : null;
      onTestFinished(() => void doomed?.kill("SIGKILL"));
      let isOver = false;
      const [shared] = await Promise.all([
        weir(folder, [...sweep, flagOf(sweep), redis.url]).finally(() => (isOver = true)),
        doomed === null ? null : killWithinAPiece(doomed, () => isOver),
      ]);
      expect(withoutTime(shared.out)).toBe(withoutTime(alone.out));
      expect(shared.out).not.toBe("");
      expect(shared.code).toBe(alone.code);
      expect(await looking.keys(`weir:*:${"[0-9a-f]".repeat(64)}`)).toEqual([]); // nothing of the sweep is left
    },
  );

  test("a worker that is stopped ends after its pieces", async () => {
    const stopped = await startWorker();
    const { text } = readOutput([stopped.stdout, stopped.stderr], once(stopped, "close"));
    stopped.kill("SIGTERM");
    expect(await once(stopped, "close")).toEqual([0, null]);
    expect(text()).toContain("stopped after ");
  });
});

test("an implementation that a worker does not have, or has other files of, is a sentence", async () => {
  const folder = folderWith({});
  await weir(folder, ["implementations", "new", "my-limiter"]);
  const name = join(folder, "my-limiter");
  const implementation = requireValue(await findImplementation(name));
  const settings = {
    name,
    manifest: JSON.stringify(implementation.manifest),
    digest: digestOf(implementation),
  };
  expect(requireValue(await requireSame(settings)).folder).toBe(name);
  appendFileSync(join(name, "limiter.mjs"), "// changed");
  expect(messageOf(await requireSame(settings))).toBe(
    `${name}: its files on this worker differ from those where the command runs; install it again here`,
  );
  rmSync(name, { recursive: true });
  expect(messageOf(await requireSame(settings))).toBe(`${name} is not a folder`);
});

test.each([
  [["run"], "--queue needs --swarm N"],
  [["pareto", "--verify"], "--queue cannot be combined with --verify, which runs no cell"],
  [["mutants", "--redis"], "--redis runs no scenario; remove --queue"],
  [["mutants", "--list"], "--list runs nothing, so there is nothing to share out; remove --queue"],
  [["replay", "-", "--limit", "1/1s"], "under one path; save standard input as a file"],
  [["replay", "--sql", "SELECT 1", "--limit", "1/1s"], "under one path; save --sql as a file"],
  [["identify", "http://127.0.0.1:1/"], "--queue belongs to identify --self-check N"],
])("%j shares nothing out, and refuses a queue", async (args, sentence) => {
  const { code, err } = await weir(folderWith({}), [...args, "--queue", "redis://127.0.0.1:1"]);
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(sentence) });
});
