import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { prepare } from "#src/limiter/core/limiter.ts";
import { hasFailed, type StoreResult, type Level, type StoreOp } from "#src/limiter/core/store.ts";
import { client } from "#src/limiter/core/client.ts";
import { micros, MILLISECOND, SECOND } from "#src/kit/units.ts";
import { redisStore, type RedisStore } from "#src/limiter/store/redis.node.ts";
import { atUs, limiterOf, met } from "../core/limiters.ts";
import { startRedis, type RedisServer } from "../../redis/server.ts";
import { redisIsThere } from "../../redis/there.ts";
import { level, smoothing } from "./budgets.ts";

const alice = client("key:alice");

/** The levels of a key with `rate` a minute, and with a quota that never renews. */
function levelsOf(rate: number, algorithm: string): readonly Level[] {
  const { limiter } = limiterOf({
    apis: { orders: { listen: "/" } },
    keys: { alice: { rate, per: 60, quota_max: 1_000, quota_renewal_rate: 0, apis: ["orders"] } },
    gateway: { algorithm },
  });
  return prepare(limiter, met(limiter, "alice").resolved, atUs(0)).levels;
}

const take = (levels: readonly Level[], seconds: number, client = alice): StoreOp => ({
  op: "take",
  levels,
  client,
  atUs: atUs(seconds),
  intent: "spend",
  units: 1,
});

const replyOf = (
  store: RedisStore,
  op: StoreOp,
  withinUs = micros(5 * SECOND),
): Promise<StoreResult> => new Promise((resolve) => store.send(op, withinUs, resolve));

const passes = (answer: StoreResult): boolean => !hasFailed(answer) && answer.refusedBy < 0;

describe.skipIf(!redisIsThere)("a store on Redis", () => {
  let server: RedisServer;
  let store: RedisStore;
  beforeAll(async () => {
    server = await startRedis();
    store = redisStore({ url: server.url, prefix: "test:" });
    await store.connect(5_000);
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
  });
  beforeEach(async () => void (await store.connection.flushall()));

  const keys = async (): Promise<readonly string[]> =>
    (await store.connection.keys("*")).toSorted();

  test.each([
    [23, 1],
    [30, 2], // 24 and the rest: the store begins while the others are sent
    [120, 4], // 24, 24, 48 and the rest: half of what waits
    [4_500, 10], // a thousand is the most of one call: 24, 24, 48, and so on to 768, two of a thousand, the rest
  ])(
    "%i operations of one turn are sent in %i calls, and are decided in order",
    async (count, calls) => {
      const before = await callsOf(store);
      const levels = levelsOf(10, "sliding_log");
      const answers = await Promise.all(
        Array.from({ length: count }, (_, i) => replyOf(store, take(levels, i / 100_000))),
      );
      expect(answers.map(passes)).toEqual(answers.map((_, i) => i < 10));
      expect((await callsOf(store)) - before).toBe(calls);
    },
  );

  test("a thousand keys with five limits each are more than one call can hold, and all are decided", async () => {
    const scopes = ["key-endpoint", "key-api", "key", "api", "quota"] as const;
    const levels = scopes.map((scope) => level("bounded_log", { rate: 5_000, per: 60, scope }));
    const ops = Array.from({ length: 1_000 }, (_, i) => take(levels, 0, client(`key:${i}`)));
    const answers = await Promise.all(ops.map((op) => replyOf(store, op)));
    expect(answers.filter(passes)).toHaveLength(1_000);
  });

  test("a budget's keys begin with the prefix and lie in one slot, and a quota that never renews does not expire", async () => {
    await replyOf(store, take(levelsOf(10, "token_bucket"), 0));
    expect(await keys()).toEqual([
      "test:{key/60000000us|key:alice}d",
      "test:{quota/Infinityus|key:alice}c",
    ]);
    expect(await store.connection.pttl("test:{quota/Infinityus|key:alice}c")).toBe(-1);
    const leftMs = await store.connection.pttl("test:{key/60000000us|key:alice}d");
    expect(leftMs).toBeGreaterThan(70_000);
    expect(leftMs).toBeLessThanOrEqual(140_000);
  });

  test.each(["sliding_log", "non_transactional", "sentinel"] as const)(
    "a budget that is given back under %s is whole under the sentinel too (MGT-C11)",
    async (algorithm) => {
      const limit = { rate: 1, per: 60 };
      const marked = level("sentinel", limit);
      const about = { client: alice, atUs: atUs(0), units: 1 };
      await replyOf(store, { op: "mark", level: marked, ...about });
      expect(passes(await replyOf(store, take([marked], 1)))).toBe(false);
      await replyOf(store, { op: "reset", level: level(algorithm, limit), ...about });
      expect(passes(await replyOf(store, take([marked], 1)))).toBe(true);
    },
  );

  describe.each([
    ["sliding_log", "z"],
    ["non_transactional", "z"],
    ["bounded_log", "r"],
    ["sentinel", "z"],
  ] as const)("an allowance under %s", (algorithm, ending) => {
    // It begins at 1, and one request rises it to 3 once the hold-off of 2 s is over.
    const rule = smoothing(1, 2, 0.5, 2);
    const smoothed = level(algorithm, { rate: 3, per: 1, smoothing: rule });
    const about = (seconds: number) => ({
      level: smoothed,
      client: alice,
      atUs: atUs(seconds),
      units: 1,
    });
    const opsAt = (seconds: number): readonly StoreOp[] => {
      if (algorithm === "sentinel") return [{ op: "mark", ...about(seconds) }];
      if (algorithm !== "non_transactional") return [take([smoothed], seconds)];
      const commands = (["prune", "count", "add"] as const).map((op) => ({
        op,
        ...about(seconds),
      }));
      const expire = { op: "expire", ...about(seconds), hasFallsToCome: seconds === 2 } as const;
      return [
        { op: "allowance", ...about(seconds) },
        { op: "pipeline", commands: [...commands, expire] },
      ];
    };
    const requests = async (...seconds: readonly number[]): Promise<void> => {
      const answers = await Promise.all(seconds.flatMap(opsAt).map((op) => replyOf(store, op)));
      expect(answers.filter(hasFailed)).toEqual([]);
    };
    const lastMs = (): Promise<readonly number[]> =>
      Promise.all(
        ["s", ending].map((end) => store.connection.pttl(`test:{key/1000000us|key:alice}${end}`)),
      );
    /** Twice the delay and the margin, and up to twice as long. */
    const expires = async (): Promise<readonly boolean[]> =>
      (await lastMs()).map((ms) => ms > 13_000 && ms <= 28_000);

    test("has no expiry while its falls are to be made up, and neither has its log", async () => {
      await requests(0);
      expect(await expires()).toEqual([true, true]);
      await requests(2);
      expect(await lastMs()).toEqual([-1, -1]);
      await requests(100);
      expect(await expires()).toEqual([true, true]);
    });

    test("expires again where it rises and falls in one call", async () => {
      await requests(0, 2, 100);
      expect(await expires()).toEqual([true, true]);
      await requests(102);
      await requests(102.1, 200);
      expect(await expires()).toEqual([true, true]);
    });
  });

  test("a refund does not let the log of a raised allowance expire", async () => {
    const smoothed = level("bounded_log", { rate: 3, per: 1, smoothing: smoothing(1, 2, 0.5, 2) });
    for (const seconds of [0, 2]) await replyOf(store, take([smoothed], seconds));
    await replyOf(store, take([smoothed], 2.5));
    await replyOf(store, {
      op: "give_back",
      level: smoothed,
      client: alice,
      atUs: atUs(2.5),
      units: 1,
    });
    expect(await store.connection.pttl("test:{key/1000000us|key:alice}r")).toBe(-1);
  });

  describe.each([
    ["spent alone", [] as const],
    ["spent with an operation that spends nothing", ["evaluate"] as const],
  ])("a count %s", (_what, intents) => {
    const levels = [level("fixed_window", { rate: 10_000_000_000, per: 60 })];
    const key = "test:{key/60000000us|key:alice}c";
    const spend = async (seconds: number): Promise<StoreResult> => {
      for (const intent of intents)
        void replyOf(store, { ...take(levels, seconds), intent } as StoreOp);
      return replyOf(store, take(levels, seconds));
    };

    test("expires when it would have, until its window is a new one", async () => {
      await spend(0);
      await store.connection.pexpire(key, 5_000);
      await spend(59);
      const leftMs = await store.connection.pttl(key);
      expect(leftMs).toBeGreaterThan(0);
      expect(leftMs).toBeLessThanOrEqual(5_000);
      await spend(60);
      expect(await store.connection.pttl(key)).toBeGreaterThan(70_000);
    });

    test("is twelve bytes, and sixteen where four do not hold the count", async () => {
      expect(await spend(0)).toMatchObject({ remaining: 9_999_999_999 });
      expect(await store.connection.strlen(key)).toBe(12);
      const record = await store.connection.getBuffer(key);
      record!.writeUInt32LE(2 ** 32 - 1, 8);
      await store.connection.set(key, record!);
      for (const counted of [2 ** 32, 2 ** 32 + 1]) {
        expect(await spend(1)).toMatchObject({ remaining: 10_000_000_000 - counted });
        expect(await store.connection.strlen(key)).toBe(16);
      }
    });
  });

  test.each([
    ["fixed_window", "c", 120],
    ["sliding_window_counter", "w", 140],
  ])("%s takes few bytes for any number of attempts", async (algorithm, ending, most) => {
    const levels = levelsOf(1_000, algorithm).slice(0, 1);
    await Promise.all(Array.from({ length: 500 }, () => replyOf(store, take(levels, 0))));
    const key = `test:{key/60000000us|key:alice}${ending}`;
    expect(await store.connection.memory("USAGE", key)).toBeLessThanOrEqual(most);
  });

  test("two attempts of one moment are two, also of two gateways", async () => {
    const levels = levelsOf(3, "non_transactional").slice(0, 1);
    const other = redisStore({ url: server.url, prefix: "test:" });
    await other.connect(5_000);
    const about = { level: levels[0]!, client: alice, atUs: atUs(0), units: 1 };
    const added: StoreOp = { op: "pipeline", commands: [{ op: "add", ...about }] };
    await Promise.all([replyOf(store, added), replyOf(other, added), replyOf(store, added)]);
    await replyOf(other, take(levels, 0));
    const counted = { op: "pipeline", commands: [{ op: "count", ...about }] } as const;
    expect(await replyOf(store, counted)).toMatchObject({ count: 4 });
    await other.close();
  });

  test("scripts that the store has forgotten are sent again", async () => {
    const levels = levelsOf(2, "gcra");
    await replyOf(store, take(levels, 0));
    await store.connection.script("FLUSH");
    expect(hasFailed(await replyOf(store, take(levels, 0)))).toBe(false);
  });

  test("a late reply is a time-out, and calls back once", async () => {
    const levels = levelsOf(2, "fixed_window");
    await replyOf(store, take(levels, 0));
    const replies: StoreResult[] = [];
    server.pause();
    const timedOut = new Promise<string>((resolve) =>
      store.send(take(levels, 0), micros(50 * MILLISECOND), (answer) => {
        replies.push(answer);
        resolve("its own time-out");
      }),
    );
    // Timers of one process fire in their order, however busy the machine is.
    const later = sleep(500).then(() => "a later timer");
    expect(await Promise.race([timedOut, later])).toBe("its own time-out");
    server.resume();
    await sleep(50);
    expect(replies).toEqual([{ failed: "timeout" }]);
    // It has been counted all the same: a sent operation takes effect.
    expect(await replyOf(store, take(levels, 0))).toMatchObject({ refusedBy: 0 });
  });

  test("a store that is gone fails at once, and is used again when it is back", async () => {
    const levels = levelsOf(2, "fixed_window");
    await server.kill();
    await sleep(20);
    const later = sleep(2_000).then(() => "a timer");
    expect(await Promise.race([replyOf(store, take(levels, 0)), later])).toEqual({
      failed: "error",
    });
    await server.restart();
    expect(await store.connect(5_000)).toBe(null);
    expect(passes(await replyOf(store, take(levels, 0)))).toBe(true);
  });

  test("an operation that is under way when the connection breaks is an error, and is not sent again", async () => {
    const levels = levelsOf(5, "fixed_window");
    server.pause();
    const answer = replyOf(store, take(levels, 0));
    await sleep(20);
    await server.kill();
    expect(await answer).toEqual({ failed: "error" });
    await server.restart();
    expect(await store.connect(5_000)).toBe(null);
    expect(await keys()).toEqual([]);
  });

  test("close waits for pending replies, so that no background write is lost", async () => {
    const other = redisStore({ url: server.url, prefix: "test:" });
    await other.connect(5_000);
    const log = level("sliding_log", { rate: 1, per: 10 });
    const add = { op: "add", level: log, client: client("bob"), atUs: atUs(1), units: 1 } as const;
    await store.connection.call("CLIENT", "PAUSE", "400", "WRITE"); // longer than a closed connection lasts
    const answers = Promise.all([
      replyOf(other, take([log], 1)),
      replyOf(other, { op: "pipeline", commands: [add] }),
    ]);
    await other.close();
    expect((await answers).map(hasFailed)).toEqual([false, false]);
    expect(await keys()).toHaveLength(2);
  });

  test("a missing server is reported in one sentence", async () => {
    const missing = redisStore({ url: "redis://:secret@127.0.0.1:1" });
    expect(await missing.connect(300)).toBe(
      "no store responds at redis://***@127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1",
    );
    await missing.close();
  });

  test.each([
    ["a database that is not there", "/99", "ERR DB index is out of range"],
    ["a server that is no cluster", "", "ERR This instance has cluster support disabled"],
  ])("%s is reported with its reason", async (_, path, reason) => {
    const { port } = new URL(server.url);
    const kind = path === "" ? "+cluster" : "";
    const other = redisStore({ url: `redis${kind}://127.0.0.1:${port}${path}` });
    expect(await other.connect(500)).toMatch(`: ${reason}`);
    await other.close();
  });
});

/** Script calls that the store has answered. */
async function callsOf({ connection }: RedisStore): Promise<number> {
  const stats = await connection.info("commandstats");
  return [...stats.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)].reduce(
    (sum, [, calls]) => sum + Number(calls),
    0,
  );
}
