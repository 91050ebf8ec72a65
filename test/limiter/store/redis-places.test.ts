// Where a store may be: a cluster, a primary that sentinels know, behind TLS.
import { readFileSync } from "node:fs";
import { Cluster } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Decision } from "#src/limiter/core/decision.ts";
import type { Limiter } from "#src/limiter/core/limiter.ts";
import { decideSteps } from "#src/limiter/core/steps.ts";
import type { StoreResult } from "#src/limiter/core/store.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import { traitsOf } from "#src/limiter/store/remote.ts";
import { redisStore, type RedisStore } from "#src/limiter/store/redis.node.ts";
import { limiterOf, met, inputOf } from "../core/limiters.ts";
import { startCluster, until, type RedisCluster } from "../../redis/cluster.ts";
import { startRedis } from "../../redis/server.ts";
import { startSentinels } from "../../redis/sentinels.ts";
import { redisIsThere } from "../../redis/there.ts";
import { startTlsRedis } from "../../redis/tls.ts";

const WITHIN_US = micros(5 * SECOND);

/** A gateway of its own over this store, as one request after the other meets it. */
function gatewayOver(store: RedisStore, raw: unknown): (credential: string) => Promise<Decision> {
  const on: Limiter = limiterOf(raw, { store: traitsOf(store) }).limiter;
  return async (credential) => {
    const steps = decideSteps(on, inputOf(on, met(on, credential), 0));
    let next = steps.next();
    while (next.done !== true) {
      const op = next.value;
      const answer = await new Promise<StoreResult>((resolve) =>
        store.send(op, WITHIN_US, resolve),
      );
      next = steps.next(answer);
    }
    return next.value.decision;
  };
}

const KEYS = ["alice", "bob", "carol", "dave", "erin", "frank"];

/** Ten for all together, and two for each. */
const world = (algorithm: string): unknown => ({
  apis: { orders: { listen: "/", rate: 10, per: 60 } },
  keys: Object.fromEntries(KEYS.map((key) => [key, { rate: 2, per: 60, apis: ["orders"] }])),
  gateway: { algorithm },
});

const countAdmitted = (decisions: readonly Decision[]): number =>
  decisions.filter(({ refused }) => refused === null).length;

describe.skipIf(!redisIsThere)("in a cluster", () => {
  let cluster: RedisCluster;
  let store: RedisStore;
  beforeAll(async () => {
    cluster = await startCluster({ replicas: 0, needsAllSlots: true });
    const places = cluster.primaries.map(({ port }) => `127.0.0.1:${port}`).join(",");
    store = redisStore({ url: `redis+cluster://${places}` });
    await store.connect(5_000);
  }, 40_000);
  afterAll(async () => {
    await store.close();
    await cluster.stop();
  });

  test.each(["fixed_window", "sliding_log", "bounded_log", "non_transactional"])(
    "levels go one after the other, and what one took is given back when the next refuses (LIM-C1): %s",
    async (algorithm) => {
      if (store.connection instanceof Cluster)
        for (const node of store.connection.nodes("master")) await node.flushall();
      const decide = gatewayOver(store, world(algorithm));
      const decisions: Decision[] = [];
      for (const key of KEYS) for (let i = 0; i < 4; i++) decisions.push(await decide(key));
      // Five of the six find room at the API, each for two; their refused requests do not count there.
      expect(decisions.map(({ refused }) => refused === null)).toEqual(
        KEYS.flatMap((_, i) => (i < 5 ? [true, true, false, false] : [false, false, false, false])),
      );
    },
  );

  test("requests that come together never exceed a budget", async () => {
    const decide = gatewayOver(store, world("token_bucket"));
    const all = KEYS.flatMap((key) => Array.from({ length: 20 }, () => decide(key)));
    expect(countAdmitted(await Promise.all(all))).toBeLessThanOrEqual(10);
  });
});

test.skipIf(!redisIsThere)("sentinels return the primary's address", async () => {
  const setup = await startSentinels(1);
  const url = `redis+sentinel://127.0.0.1:${setup.sentinels[0]!.port}/${setup.name}`;
  const store = redisStore({ url });
  try {
    expect(await store.connect(5_000)).toBe(null);
    expect(countAdmitted([await gatewayOver(store, world("gcra"))("alice")])).toBe(1);
    const missing = redisStore({ url: `${url}-other` });
    expect(await missing.connect(500)).toMatch(/^no store responds at redis\+sentinel:/);
    await missing.close();
  } finally {
    await store.close();
    await setup.stop();
  }
});

test.skipIf(!redisIsThere)("over TLS, to a server that it trusts", async () => {
  const server = await startTlsRedis();
  const ca = readFileSync(server.certificate, "utf8");
  const trusting = redisStore({ url: server.url, tls: { ca } });
  const doubting = redisStore({ url: server.url });
  try {
    expect(await trusting.connect(5_000)).toBe(null);
    expect(countAdmitted([await gatewayOver(trusting, world("sentinel"))("alice")])).toBe(1);
    expect(await doubting.connect(500)).toMatch(/self-signed certificate/);
  } finally {
    await Promise.all([trusting.close(), doubting.close()]);
    await server.stop();
  }
});

test.skipIf(!redisIsThere)(
  "a connection that ended in the middle of a failover is tried again",
  async () => {
    const server = await startRedis();
    const store = redisStore({ url: server.url });
    try {
      expect(await store.connect(5_000)).toBe(null);
      store.connection.disconnect(); // as ioredis does it where a failover comes while it connects
      await until(() => store.connection.status === "end");
      await until(() => store.connection.status === "ready");
      await store.close();
      await until(() => store.connection.status === "end");
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(store.connection.status).toBe("end");
    } finally {
      await store.close();
      await server.stop();
    }
  },
);

test.skipIf(!redisIsThere)(
  "a store that is away is looked for more and more seldom, and soon found",
  async () => {
    const server = await startRedis();
    const store = redisStore({ url: server.url });
    const pausesMs: number[] = [];
    try {
      expect(await store.connect(5_000)).toBe(null);
      store.connection.on("reconnecting", (pauseMs: number) => void pausesMs.push(pauseMs));
      await server.kill();
      await until(() => pausesMs.length === 7);
      for (const [index, atMost] of [50, 100, 200, 400, 500, 500, 500].entries()) {
        expect(pausesMs[index]).toBeLessThanOrEqual(atMost);
        expect(pausesMs[index]).toBeGreaterThanOrEqual(0.75 * atMost);
      }
      await server.restart();
      const tried = pausesMs.length;
      await until(() => store.connection.status === "ready");
      // One attempt may have been on its way before the store accepted it.
      expect(pausesMs.length - tried).toBeLessThanOrEqual(1);
    } finally {
      await store.close();
      await server.stop();
    }
  },
);
