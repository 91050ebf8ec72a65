// An expiry decides nothing, so a record has to live for as long as it counts.
import { describe, expect, test } from "vitest";
import type { Algorithm } from "#src/limiter/core/algorithms.ts";
import { client } from "#src/limiter/core/client.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import { packLevel } from "#src/limiter/store/redis-level.ts";
import { connectRedis } from "../../redis/connect.ts";
import { redisIsThere } from "../../redis/there.ts";
import { atUs, level, smoothing, type LevelParts } from "./budgets.ts";

const tenAMinute = { rate: 10, per: 60 };
const queueOf = (queue: number): LevelParts => ({ rate: 1, per: 1, options: { queue } });

describe("how long a record lives after its last write, without a margin", () => {
  test.each<[string, Algorithm, LevelParts, number]>([
    ["a count: its window", "fixed_window", tenAMinute, 60_000],
    ["two windows: both", "sliding_window_counter", tenAMinute, 120_000],
    ["a log: its window", "sliding_log", tenAMinute, 60_000],
    ["a window of half a millisecond: one", "sliding_log", { rate: 1, per: 0.0005 }, 1],
    [
      "an allowance: twice its hold-off",
      "sliding_log",
      { rate: 3, per: 1, smoothing: smoothing(1, 2, 0.5, 50) },
      100_000,
    ],
    ["a queue that is shorter than its window", "leaky_bucket", { ...queueOf(0), per: 20 }, 20_000],
    ["a queue of a hundred, and the place that leaves", "leaky_bucket", queueOf(100), 101_000],
    [
      "a queue at a rate with decimals",
      "leaky_bucket",
      { rate: 2.5, per: 10, options: { queue: 4 } },
      20_000,
    ],
    ["a quota that never renews: for ever", "fixed_window", { rate: 5, per: Infinity }, -1],
  ])("%s", (_, algorithm, parts, keepMs) => {
    const longestMs = Number.POSITIVE_INFINITY;
    expect(packLevel(level(algorithm, parts), { marginMs: 0, longestMs }).keepMs).toBe(keepMs);
  });

  test("is at most the longest expiry, also for falls that are pending", () => {
    const smoothed = level("sliding_log", { rate: 3, per: 1, smoothing: smoothing(1, 2, 0.5, 50) });
    const packed = packLevel(smoothed, { marginMs: 1_000, longestMs: 30_000 });
    expect([packed.keepMs, packed.foreverMs]).toEqual([30_000, 30_000]);
    const unbounded = packLevel(smoothed, { marginMs: 1_000, longestMs: Infinity });
    expect([unbounded.keepMs, unbounded.foreverMs]).toEqual([101_000, -1]);
  });
});

describe.skipIf(!redisIsThere)("in a store", () => {
  const redis = connectRedis();

  test("the record of a queue that lasts 100 s outlives it (ALG-C10)", async () => {
    const levels = [level("leaky_bucket", queueOf(100))];
    const about = { levels, client: client("key:alice"), atUs: atUs(0), units: 100 } as const;
    const op = { op: "take", intent: "spend", ...about } as const;
    const reply = await new Promise((resolve) =>
      redis.store.send(op, micros(30 * SECOND), resolve),
    );
    expect(reply).toMatchObject({ refusedBy: -1 });
    const [key] = await redis.store.connection.keys("*");
    expect(await redis.store.connection.pttl(key!)).toBeGreaterThan(100_000);
  });
});
