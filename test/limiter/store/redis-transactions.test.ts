// `store_transaction: multi` (ALG-C7): a log is written by commands between MULTI and EXEC, and evaluated afterwards.
import { beforeEach, describe, expect, test } from "vitest";
import type { Decision } from "#src/limiter/core/decision.ts";
import { prepare, REMOTE_STORE_TRAITS } from "#src/limiter/core/limiter.ts";
import { decideSteps } from "#src/limiter/core/steps.ts";
import type { StoreResult } from "#src/limiter/core/store.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import { traitsOf } from "#src/limiter/store/remote.ts";
import { atUs, decide, limiterOf, met, inputOf } from "../core/limiters.ts";
import { connectRedis } from "../../redis/connect.ts";
import { redisIsThere } from "../../redis/there.ts";

const WITHIN_US = micros(5 * SECOND);

const world = (transaction: string, algorithm = "sliding_log"): unknown => ({
  apis: { orders: { listen: "/", rate: 7, per: 10 } },
  keys: {
    alice: { rate: 4, per: 10, apis: ["orders"] },
    bob: { rate: 5, per: 10, apis: ["orders"] },
  },
  gateway: { algorithm, store_transaction: transaction },
});

describe.skipIf(!redisIsThere)("in transactions", () => {
  const redis = connectRedis();
  beforeEach(async () => {
    await redis.store.connection.flushall();
    await redis.store.connection.config("RESETSTAT");
  });

  function gatewayOver(raw: unknown): (seconds: number, credential: string) => Promise<Decision> {
    const on = limiterOf(raw, { store: traitsOf(redis.store) }).limiter;
    return async (seconds, credential) => {
      const steps = decideSteps(on, inputOf(on, met(on, credential), seconds));
      let next = steps.next();
      while (next.done !== true) {
        const op = next.value;
        next = steps.next(
          await new Promise<StoreResult>((resolve) => redis.store.send(op, WITHIN_US, resolve)),
        );
      }
      return next.value.decision;
    };
  }

  const calls = async (command: string): Promise<number> => {
    const stats = await redis.store.connection.info("commandstats");
    return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
  };

  test("requests one after the other are decided as by one script", async () => {
    const decideRemotely = gatewayOver(world("multi"));
    const { limiter } = limiterOf(world("script"));
    const requests = Array.from(
      { length: 60 },
      (_, i) => [i * 0.7, i % 3 === 0 ? "bob" : "alice"] as const,
    );
    for (const [seconds, credential] of requests) {
      const want = decide(limiter, seconds, credential);
      const got = await decideRemotely(seconds, credential);
      const summaryOf = ({ refused, level, retryAfterUs }: Decision) => ({
        refused,
        by: refused === null ? null : level?.budget.space,
        retryAfterUs,
      });
      expect({ seconds, credential, ...summaryOf(got) }).toEqual({
        seconds,
        credential,
        ...summaryOf(want),
      });
    }
  });

  test("a request that passes is four commands and their frame, and no script", async () => {
    await gatewayOver({ ...(world("multi") as object), apis: { orders: { listen: "/" } } })(
      0,
      "alice",
    );
    const counted = [
      "multi",
      "zremrangebyscore",
      "zcard",
      "zadd",
      "pexpire",
      "exec",
      "eval",
      "evalsha",
    ];
    expect(await Promise.all(counted.map(calls))).toEqual([1, 1, 1, 1, 1, 1, 0, 0]);
  });

  test("requests that come together never exceed a budget", async () => {
    const decideRemotely = gatewayOver(world("multi"));
    const all = await Promise.all(Array.from({ length: 40 }, () => decideRemotely(0, "alice")));
    expect(all.filter(({ refused }) => refused === null)).toHaveLength(4);
  });

  test("an algorithm that evaluates before it writes stays one script", () => {
    const traits = { ...REMOTE_STORE_TRAITS, hasTransactions: true };
    const on = limiterOf(world("multi", "token_bucket"), { store: traits }).limiter;
    expect(prepare(on, met(on, "alice").resolved, atUs(0)).isOneStep).toBe(true);
  });
});
