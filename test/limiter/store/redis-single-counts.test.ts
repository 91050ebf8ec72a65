// Batches in which every operation spends from one count: one script counts all operations of a budget together.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { client } from "#src/limiter/core/client.ts";
import type { StoreOp, StoreResult } from "#src/limiter/core/store.ts";
import { performNow } from "#src/limiter/core/sequence.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import { connectRedis } from "../../redis/connect.ts";
import { redisIsThere } from "../../redis/there.ts";
import { holdsLater } from "../../runs.ts";
import { level } from "./budgets.ts";
import { storeWithoutSweeps } from "./no-sweeps.ts";

const clients = ["key:alice", "key:ä", "key:日本", "key:bob"].map((identity) => client(identity));
/** All of one space, so that a client has one record under all of them, as before and after a reload. */
const levels = [1, 2, 5, 40].map((rate) => level("fixed_window", { rate, per: 10 }));
const large = level("fixed_window", { rate: 1e12, per: 10, scope: "key-api" });
const forAll = level("fixed_window", { rate: 7, per: 10, scope: "api" });
const START_US = 1_700_000_000 * SECOND;

interface Drawn {
  readonly sender: number;
  readonly level: number;
  readonly units: number;
  readonly stepUs: number;
}

/** Many operations of one time and cost, some of which differ. */
const drawn = fc.record<Drawn>({
  sender: fc.nat(clients.length - 1),
  level: fc.constantFrom(0, 1, 1, 1, 2, 3, 4, 5),
  units: fc.constantFrom(1, 1, 1, 1, 1, 2, 3),
  stepUs: fc.constantFrom(0, 0, 0, 0, 1, 4 * SECOND, 10 * SECOND, -1_000_000),
});

const all = [...levels, large, forAll];

/** One of each client under each space. */
const FIRST: readonly Drawn[] = clients.flatMap((_, sender) =>
  [0, 4, 5].map((place) => ({ sender, level: place, units: 1, stepUs: 0 })),
);

function opsOf(calls: readonly (readonly Drawn[])[]): readonly (readonly StoreOp[])[] {
  let atUs = START_US;
  return calls.map((call) =>
    call.map(({ sender, level: place, units, stepUs }): StoreOp => {
      atUs += stepUs;
      const isLarge = all[place] === large;
      return {
        op: "take",
        levels: [all[place]!],
        client: clients[sender]!,
        atUs: micros(atUs),
        intent: "spend",
        units: isLarge ? units * 3_000_000_000 : units, // more than four bytes, soon
      };
    }),
  );
}

describe.skipIf(!redisIsThere)("operations that each spend from one count", () => {
  const redis = connectRedis();

  const perform = (op: StoreOp): Promise<StoreResult> =>
    new Promise((resolve) => redis.store.send(op, micros(30 * SECOND), resolve));

  test("reply as memory does, however often a budget, a level, a time and a cost occur in one call", () =>
    holdsLater(
      fc.asyncProperty(
        fc.array(fc.array(drawn, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 5 }),
        async (calls) => {
          await redis.store.connection.flushall();
          const first = opsOf([FIRST])[0]!;
          await Promise.all(first.map(perform));
          const memory = storeWithoutSweeps(first);
          for (const ops of opsOf(calls)) {
            const expected = ops.map((op) => ({ ...performNow(memory, op) }));
            expect(await Promise.all(ops.map(perform))).toEqual(expected);
          }
        },
      ),
      200,
    ));

  test.each([
    // of 5, spent before, cost of a request that is refused, what it shows as left
    [3, 3, 2],
    [0, 6, 5],
    [3, 9, 2],
    [5, 3, 0],
    [5, 1, 0],
  ])("of five, after %i a refused request of %i shows %i left", async (spent, units, left) => {
    await redis.store.connection.flushall();
    const op = opsOf([[{ sender: 0, level: 2, units: 1, stepUs: 0 }]])[0]![0]!;
    await Promise.all(Array.from({ length: spent }, () => perform(op)));
    expect(await perform({ ...op, units } as StoreOp)).toMatchObject({
      refusedBy: 0,
      limit: 5,
      remaining: left,
    });
  });

  test("write a budget once in a call, whatever the number of its operations", async () => {
    await redis.store.connection.flushall();
    await redis.store.connection.config("RESETSTAT");
    const op = opsOf([[{ sender: 0, level: 2, units: 1, stepUs: 0 }]])[0]![0]!;
    const answers = await Promise.all(Array.from({ length: 20 }, () => perform(op)));
    expect(answers.map((answer) => "refusedBy" in answer && answer.refusedBy)).toEqual(
      answers.map((_, i) => (i < 5 ? -1 : 0)),
    );
    const stats = await redis.store.connection.info("commandstats");
    expect(/cmdstat_mget:calls=(\d+)/.exec(stats)?.[1]).toBe("1");
    expect(/cmdstat_set:calls=(\d+)/.exec(stats)?.[1]).toBe("1");
    expect(stats).not.toContain("cmdstat_setrange");
  });
});
