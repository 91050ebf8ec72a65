// How sweeps and workers learn of each other, over a Redis of the test's own.
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { announce, type Presence, type QueueSide } from "#src/studies/queue/presence.node.ts";
import { redisIsThere } from "../../redis/there.ts";
import { CODE, OTHER } from "./doubles.ts";
import { connect, redisOf } from "./redis.ts";

interface Joined extends Presence {
  readonly others: readonly string[]; // names of the code of the other side
}

async function join(connection: Redis, side: QueueSide): Promise<Joined> {
  const others: string[] = [];
  const presence = await announce(connection, side, { code: CODE, threads: 3 }, ({ code }) =>
    others.push(code.name),
  );
  onTestFinished(presence.end);
  return { ...presence, others };
}

describe.skipIf(!redisIsThere)("presence", () => {
  test("a sweep and a worker at one database know each other, at two they do not", async () => {
    const redis = await redisOf();
    const sweep = await join(await connect(redis), "sweep");
    await join(await connect(redis, 1), "worker");
    await sleep(1_500); // one announcement at least
    expect(sweep.neighbours()).toEqual([]);
    await join(await connect(redis), "worker");
    await vi.waitFor(() => expect(sweep.neighbours()).toMatchObject([{ code: CODE, threads: 3 }]));
  });

  test("other messages change nothing", async () => {
    const redis = await redisOf();
    const connection = await connect(redis);
    const sweep = await join(await connect(redis), "sweep");
    for (const text of [
      "x",
      "null",
      '{"id":"a:1"}',
      '{"id":"a:1","code":{"digest":1},"threads":1}',
    ])
      expect(await connection.publish("weir:workers/0", text)).toBe(1);
    await join(await connect(redis), "worker");
    await vi.waitFor(() => expect(sweep.neighbours()).toHaveLength(1));
    expect(sweep.others).toEqual([]);
  });

  test("a worker that returns under its name with other code is reported again", async () => {
    const redis = await redisOf();
    const connection = await connect(redis);
    const sweep = await join(await connect(redis), "sweep");
    const newer = { digest: "00", name: "commit 00" };
    for (const code of [CODE, OTHER, OTHER, newer])
      await connection.publish("weir:workers/0", JSON.stringify({ id: "a:1", code, threads: 1 }));
    await vi.waitFor(() => expect(sweep.others).toEqual([OTHER.name, newer.name]));
  });
});
