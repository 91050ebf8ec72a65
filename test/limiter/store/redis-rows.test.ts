// Long bounded logs: new attempts have places of their own before the row, which is put together once in nine writes.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { client } from "#src/limiter/core/client.ts";
import type { Level, StoreOp, StoreResult } from "#src/limiter/core/store.ts";
import { performNow } from "#src/limiter/core/sequence.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import { connectRedis } from "../../redis/connect.ts";
import { redisIsThere } from "../../redis/there.ts";
import { holdsLater } from "../../runs.ts";
import { level, smoothing } from "./budgets.ts";
import { storeWithoutSweeps } from "./no-sweeps.ts";

const clients = ["key:alice", "key:bob", "key:carol"].map((identity) => client(identity));
const alice = clients[0]!;
const START_US = 1_700_000_000 * SECOND;
const PER_S = 10;

/** Of one record, as before and after reloads: short, long and longer ones. */
const plain = [5, 31, 32, 33, 60].map((rate) => level("bounded_log", { rate, per: PER_S }));
const smoothed = [20, 40, 60].map((rate) =>
  level("bounded_log", { rate, per: PER_S, smoothing: smoothing(rate - 10, 2, 0.5, 2) }),
);

interface Drawn {
  readonly what: "spend" | "evaluate" | "give_back" | "reset";
  readonly level: number;
  readonly units: number;
  readonly times: number;
  readonly stepUs: number;
}

const drawn = fc.record<Drawn>({
  what: fc.constantFrom(
    "spend",
    "spend",
    "spend",
    "spend",
    "spend",
    "evaluate",
    "give_back",
    "reset",
  ),
  level: fc.constantFrom(4, 4, 3, 2, 1, 0),
  units: fc.constantFrom(1, 1, 1, 2, 9),
  times: fc.constantFrom(1, 1, 2, 7, 23),
  stepUs: fc.constantFrom(0, 1, 1_000, SECOND, 3 * SECOND, 11 * SECOND, -1, -2_000_000),
});

function opsOf(calls: readonly Drawn[], levels: readonly Level[]): readonly (readonly StoreOp[])[] {
  let atUs = START_US;
  return calls.map(({ what, level: place, units, times, stepUs }) => {
    atUs += stepUs;
    const about = { client: alice, atUs: micros(atUs), units };
    const one = levels[place % levels.length]!;
    const op: StoreOp =
      what === "give_back" || what === "reset"
        ? { op: what, level: one, ...about }
        : { op: "take", levels: [one], intent: what, ...about };
    return Array.from({ length: times }, (_, i) => ({ ...op, client: clients[i % 3]! }));
  });
}

const firstOf = (levels: readonly Level[]): readonly StoreOp[] =>
  clients.map((each) => ({
    op: "take",
    levels: [levels[0]!],
    intent: "spend",
    client: each,
    atUs: micros(START_US),
    units: 1,
  }));

describe.skipIf(!redisIsThere)("a long bounded log in Redis", () => {
  const redis = connectRedis();

  const perform = (op: StoreOp): Promise<StoreResult> =>
    new Promise((resolve) => redis.store.send(op, micros(30 * SECOND), resolve));

  test.each([
    ["plain", plain],
    ["smoothed", smoothed],
  ] as const)("replies as memory does: %s", (_, levels) =>
    holdsLater(
      fc.asyncProperty(fc.array(drawn, { minLength: 1, maxLength: 60 }), async (calls) => {
        await redis.store.connection.flushall();
        const first = firstOf(levels);
        await Promise.all(first.map(perform));
        const memory = storeWithoutSweeps(first);
        for (const ops of opsOf(calls, levels)) {
          const expected = ops.map((op) => ({ ...performNow(memory, op) }));
          expect(await Promise.all(ops.map(perform))).toEqual(expected);
        }
      }),
      150,
    ),
  );

  test("is put together once in nine writes from 32 attempts on, and keeps its expiry in between", async () => {
    await redis.store.connection.flushall();
    await redis.store.connection.config("RESETSTAT");
    const long = [level("bounded_log", { rate: 100, per: 60 })];
    for (let i = 0; i < 90; i++)
      await perform({
        op: "take",
        levels: long,
        client: alice,
        atUs: micros(START_US + i),
        intent: "spend",
        units: 1,
      });
    const stats = await redis.store.connection.info("commandstats");
    expect(/cmdstat_set:calls=(\d+)/.exec(stats)?.[1]).toBe("38");
    expect(/cmdstat_setrange:calls=(\d+)/.exec(stats)?.[1]).toBe("52");
    const leftMs = await redis.store.connection.pttl("weir:{key/60000000us|key:alice}r");
    expect(leftMs).toBeGreaterThan(130_000);
    expect(leftMs).toBeLessThanOrEqual(140_000);
  });
});
