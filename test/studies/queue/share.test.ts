// Both sides of a queue in this process, over a Redis of the test's own. The sweep doubles numbers.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { isFailure } from "#src/kit/reading/failure.ts";
import { connectQueue } from "#src/studies/queue/connection.node.ts";
import { queueName, shareByQueue } from "#src/studies/queue/share.node.ts";
import { workOn } from "#src/studies/queue/work.node.ts";
import { messageOf } from "../../kit/reading/message-of.ts";
import { KEEPS_NOTHING, type RedisServer } from "../../redis/server.ts";
import { redisIsThere } from "../../redis/there.ts";
import { CODE, DOUBLES, OTHER } from "./doubles.ts";
import { connect, redisOf } from "./redis.ts";

const NEVER = new Promise<never>(() => {});

interface TestWorker {
  readonly lines: string[];
  /** Returns how many pieces it computed. */
  readonly end: () => Promise<number>;
}

async function startWorker(redis: RedisServer, code = CODE): Promise<TestWorker> {
  const { promise: stop, resolve } = Promise.withResolvers<"stop">();
  const lines: string[] = [];
  const done = workOn({
    connection: await connect(redis),
    code,
    threads: 2,
    sweeps: [DOUBLES],
    report: (line) => lines.push(line),
    onDone: () => {},
    stop,
  });
  const end = (): Promise<number> => {
    resolve("stop");
    return done;
  };
  onTestFinished(async () => void (await end()));
  return { lines, end };
}

interface TestSweep {
  readonly pieces: readonly unknown[];
  readonly delayMs?: number;
  readonly onDone?: (done: number) => void;
  readonly stop?: Promise<"stop">;
  readonly report?: (line: string) => void;
}

async function sweep(redis: RedisServer, given: TestSweep): Promise<readonly unknown[]> {
  const { pieces, delayMs = 20, onDone = () => {}, stop = NEVER, report = () => {} } = given;
  const answers: unknown[] = [];
  let done = 0;
  await shareByQueue({ connection: await connect(redis), code: CODE, report })({
    pieces: pieces.entries(),
    mostThreads: 1,
    threads: DOUBLES,
    settings: { factor: 2, delayMs },
    stop,
    onDone: (answer, place) => {
      answers[place] = answer;
      onDone(++done);
    },
  });
  return answers;
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);
const answersTo = (count: number): readonly unknown[] =>
  numbers(count).map((each) => new Map([[-0, 2 * each]]));

describe.skipIf(!redisIsThere)("a queue", () => {
  test("returns what threads return, and more pieces than wait at a time", async () => {
    const redis = await redisOf();
    await startWorker(redis);
    expect(await sweep(redis, { pieces: numbers(600), delayMs: 0 })).toEqual(answersTo(600));
  });

  test.each([
    ["keeps its data", () => ["appendonly yes", "appendfsync always", 'save ""']],
    ["loses its data", KEEPS_NOTHING],
  ] as const)("continues when Redis is killed and %s", async (_, settings) => {
    const redis = await redisOf(settings);
    await startWorker(redis);
    const restart = async (): Promise<void> => {
      await redis.kill();
      await redis.restart();
    };
    const restarts: Promise<void>[] = [];
    const onDone = (done: number): void => {
      if (done === 20) restarts.push(restart());
    };
    expect(await sweep(redis, { pieces: numbers(60), onDone })).toEqual(answersTo(60));
    expect(await Promise.all(restarts)).toHaveLength(1);
  });

  test("takes no second result of a piece", async () => {
    const redis = await redisOf();
    const connection = await connect(redis);
    await startWorker(redis);
    const places: number[] = [];
    const names = new Set<string>();
    const events = `weir:${queueName(CODE)}:events`;
    const repeat = async (): Promise<void> => {
      for (const [, fields] of await connection.xrange(events, "-", "+"))
        if (fields.includes("completed")) {
          names.add(fields[fields.indexOf("jobId") + 1]!);
          await connection.xadd(events, "*", ...fields);
        }
    };
    const answers = await sweep(redis, {
      pieces: numbers(40),
      onDone: (done) => {
        places.push(done);
        if (done === 10) void repeat();
      },
    });
    expect(names.size).toBeGreaterThanOrEqual(10);
    expect(places).toHaveLength(40);
    expect(answers).toEqual(answersTo(40));
  });

  test("an interrupted sweep leaves its results alone, and the same sweep continues", async () => {
    const redis = await redisOf();
    const connection = await connect(redis);
    const worker = await startWorker(redis);
    const { promise: stop, resolve } = Promise.withResolvers<"stop">();
    const onDone = (done: number): void => {
      if (done === 10) resolve("stop");
    };
    const first = await sweep(redis, { pieces: numbers(100), stop, onDone });
    expect(Object.keys(first).length).toBeLessThan(100);
    const queue = `weir:${queueName(CODE)}`;
    expect(await connection.llen(`${queue}:wait`)).toBe(0);
    await vi.waitFor(async () => expect(await connection.llen(`${queue}:active`)).toBe(0));
    expect(await connection.zcard(`${queue}:completed`)).toBeGreaterThanOrEqual(10);
    expect(await sweep(redis, { pieces: numbers(100) })).toEqual(answersTo(100));
    expect(await connection.zcard(`${queue}:completed`)).toBe(0);
    expect(await worker.end()).toBe(100); // each piece once
  });

  test("an interrupted sweep leaves the results that were not delivered", async () => {
    const redis = await redisOf();
    const worker = new Worker(new URL("./worker-thread.ts", import.meta.url), {
      workerData: redis.url,
    });
    onTestFinished(async () => void (await worker.terminate()));
    const { promise: stop, resolve } = Promise.withResolvers<"stop">();
    const onDone = (done: number): void => {
      if (done !== 10) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
      resolve("stop");
    };
    const delivered = await sweep(redis, { pieces: numbers(100), stop, onDone });
    const connection = await connect(redis);
    const queue = `weir:${queueName(CODE)}`;
    await vi.waitFor(async () => expect(await connection.llen(`${queue}:active`)).toBe(0));
    const left = await connection.zcard(`${queue}:completed`);
    expect(left).toBeGreaterThan(Object.keys(delivered).length + 2); // those under way
    expect(await sweep(redis, { pieces: numbers(100) })).toEqual(answersTo(100));
    worker.postMessage("stop", []);
    expect(await once(worker, "message")).toEqual([100]); // each piece once
  });

  test("an interrupted sweep that has more pieces than wait at a time begins none of them", async () => {
    const redis = await redisOf();
    const connection = await connect(redis);
    await startWorker(redis);
    const { promise: stop, resolve } = Promise.withResolvers<"stop">();
    const onDone = (done: number): void => {
      if (done === 250) resolve("stop");
    };
    await sweep(redis, { pieces: numbers(2_000), delayMs: 0, stop, onDone });
    const countCompleted = (): Promise<number> =>
      connection.zcard(`weir:${queueName(CODE)}:completed`);
    const atTheEnd = await countCompleted();
    await sleep(500);
    expect(await connection.llen(`weir:${queueName(CODE)}:wait`)).toBe(0);
    expect(await countCompleted()).toBeLessThan(atTheEnd + 10); // those under way
  });

  test("refuses a worker of other code with a sentence at both sides", async () => {
    const redis = await redisOf();
    const worker = await startWorker(redis, OTHER);
    const lines: string[] = [];
    const over = sweep(redis, { pieces: numbers(3), report: (line) => lines.push(line) });
    await vi.waitFor(() => expect([lines, worker.lines]).toMatchObject([[{}], [{}]]), 3_000);
    expect(lines[0]).toMatch(
      /^worker \S+:\d+ gets nothing of this sweep: it runs commit fedcba98, not commit 01234567$/,
    );
    expect(worker.lines[0]).toMatch(
      /^refused the sweep \S+:\d+: it runs commit 01234567, and this worker commit fedcba98$/,
    );
    await vi.waitFor(() => expect(lines).toHaveLength(2), 7_000);
    expect(lines[1]).toMatch(/^no worker of commit 01234567 is there; start one: weir worker/);
    await startWorker(redis);
    expect(await over).toEqual(answersTo(3));
    expect(await worker.end()).toBe(0);
  });

  test("a piece that fails ends the sweep with its error", async () => {
    const redis = await redisOf();
    await startWorker(redis);
    await expect(sweep(redis, { pieces: [1, "fail", 3] })).rejects.toThrow(
      "a piece failed at a worker: the piece fails",
    );
  });

  test.each([
    ["has no memory left", "maxmemory 1kb", /no memory left; raise its maxmemory/],
    ["is a replica", "replicaof 127.0.0.1 1", /is a replica; name its primary/],
  ])("a Redis that %s is one sentence at both sides", async (_, setting, sentence) => {
    const redis = await redisOf((...of) => [...KEEPS_NOTHING(...of), setting]);
    const worker = await startWorker(redis);
    await expect(sweep(redis, { pieces: numbers(3) })).rejects.toThrow(sentence);
    await vi.waitFor(() => expect(worker.lines).toEqual([expect.stringMatching(sentence)]));
  });

  test("a wrong password, or none, is a sentence of its own", async () => {
    const redis = await redisOf(() => ["requirepass secret", 'save ""']);
    const sentenceFor = async (user: string): Promise<string | null> =>
      messageOf(await connectQueue(redis.url.replace("//", `//${user}`)));
    expect(await sentenceFor("")).toMatch(/^this Redis needs a password: redis:/);
    expect(await sentenceFor(":wrong@")).toMatch(
      /^this Redis rejects the password of its default user; /,
    );
    expect(await sentenceFor("anna:secret@")).toMatch(/^this Redis rejects the password of anna; /);
    const right = await connectQueue(redis.url.replace("//", "//:secret@"));
    if (isFailure(right) || right === "unreachable") throw new Error("it is right");
    right.disconnect();
  });

  test("an address without a server, or of no store, is no queue", async () => {
    expect(await connectQueue("redis://127.0.0.1:1")).toBe("unreachable");
    for (const [address, problem] of [
      ["http://127.0.0.1", /^.* is not the address of a store/],
      ["redis+cluster://127.0.0.1:1", /^a queue needs one server/],
    ] as const) {
      const failure = await connectQueue(address);
      expect(isFailure(failure) ? failure.message : failure).toMatch(problem);
    }
  });
});
