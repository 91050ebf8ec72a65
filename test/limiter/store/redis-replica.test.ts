// Behind a plain address, which a proxy or a name server gives to whichever server is the primary.
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { expect, onTestFinished, test } from "vitest";
import { client } from "#src/limiter/core/client.ts";
import { hasFailed, type StoreResult } from "#src/limiter/core/store.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import { redisStore, type RedisStore } from "#src/limiter/store/redis.node.ts";
import { startRedis } from "../../redis/server.ts";
import { redisIsThere } from "../../redis/there.ts";
import { atUs, level } from "./budgets.ts";

/** An address whose new connections lead to another server from `moveTo` on. Earlier ones stay where they are. */
async function movingAddress(first: number) {
  let target = first;
  const sockets = new Set<Socket>();
  const relay = createServer((from) => {
    const to = connect(target, "127.0.0.1");
    for (const socket of [from, to]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        from.destroy();
        to.destroy();
      });
    }
    from.pipe(to).pipe(from);
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  onTestFinished(() => {
    relay.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = relay.address() as AddressInfo;
  return { url: `redis://127.0.0.1:${port}`, moveTo: (port: number) => void (target = port) };
}

const ONE = level("fixed_window", { rate: 1, per: 60 });

const take = (store: RedisStore, name: string): Promise<StoreResult> =>
  new Promise((resolve) =>
    store.send(
      {
        op: "take",
        levels: [ONE],
        client: client(name),
        atUs: atUs(0),
        intent: "spend",
        units: 1,
      },
      micros(30 * SECOND),
      resolve,
    ),
  );

const TRIES = 400;

/** The first reply that is no failure; the last failure if none of many attempts, 50 ms apart, has another reply. */
async function firstReply(store: RedisStore, name: string): Promise<StoreResult> {
  for (let tries = 1; ; tries++) {
    const reply = await take(store, name);
    if (!hasFailed(reply) || tries === TRIES) return reply;
    await sleep(50);
  }
}

test.skipIf(!redisIsThere)(
  "a primary that has become a replica is left for the server that has its address now",
  async () => {
    const [old, next] = await Promise.all([startRedis(), startRedis()]);
    onTestFinished(old.stop);
    onTestFinished(next.stop);
    const address = await movingAddress(old.port);
    const store = redisStore({ url: address.url });
    onTestFinished(store.close);
    expect(await store.connect(5_000)).toBe(null);
    expect(hasFailed(await take(store, "before"))).toBe(false);
    const operator = new Redis(old.url);
    onTestFinished(() => operator.disconnect());
    await operator.replicaof("127.0.0.1", next.port);
    address.moveTo(next.port);
    // What the replica rejects fails, and is not sent again.
    expect(await take(store, "during")).toEqual({ failed: "error" });
    expect(await firstReply(store, "after")).toMatchObject({ refusedBy: -1 });
    const stored = new Redis(next.url);
    onTestFinished(() => stored.disconnect());
    expect(await stored.keys("*after*")).toHaveLength(1);
    expect(await stored.keys("*during*")).toEqual([]);
  },
);
