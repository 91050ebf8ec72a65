// The committed costs against a real Redis. After a change of the scripts: `npm run costs`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import {
  countCommands,
  digestOfScripts,
  measureCosts,
  perform,
} from "../../../bench/costs/measure.node.ts";
import { tableOf } from "../../../bench/costs/table.ts";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import type { Decision } from "#src/limiter/core/decision.ts";
import {
  optionsOf,
  prepare,
  REMOTE_STORE_TRAITS,
  type Limiter,
} from "#src/limiter/core/limiter.ts";
import { decideSteps } from "#src/limiter/core/steps.ts";
import { billOf, fateBy, markCost } from "#src/lab/sim/cost.ts";
import { MEASURED } from "#src/lab/sim/measured-costs.ts";
import type { RedisStore } from "#src/limiter/store/redis.node.ts";
import { atUs, limiterOf, met, inputOf } from "../../limiter/core/limiters.ts";
import { connectRedis } from "../../redis/connect.ts";
import { redisIsThere } from "../../redis/there.ts";

const STALE = "the scripts have changed since the costs were measured: run `npm run costs`";

test("the committed costs are those of the scripts that Weir sends", () => {
  expect(MEASURED.scripts === digestOfScripts() ? "measured" : STALE).toBe("measured");
});

test("docs/reference/store-costs.md shows the committed costs", () => {
  const plain = (text: string): string => text.replaceAll(/[ -]/g, "");
  const page = readFileSync(
    join(import.meta.dirname, "../../../docs/reference/store-costs.md"),
    "utf8",
  );
  expect(plain(page)).toContain(plain(tableOf(MEASURED)));
});

describe.skipIf(!redisIsThere)("measured on a Redis (ALG-5, ALG-6, ALG-9, ALG-11)", () => {
  const redis = connectRedis();

  test("commands are the committed ones, and bytes are near them", async () => {
    const { forms, pipeline, transaction } = await measureCosts(redis.store);
    expect(pipeline).toEqual(MEASURED.pipeline);
    expect(transaction).toEqual(MEASURED.transaction);
    expect(Object.keys(forms)).toEqual(Object.keys(MEASURED.forms));
    for (const [name, committed] of Object.entries(MEASURED.forms)) {
      const { commands, background, step, recordBytes, logBytes } = forms[name]!;
      expect({ name, commands, background, step }).toEqual({
        name,
        commands: committed.commands,
        background: committed.background,
        step: committed.step,
      });
      isNear(recordBytes, committed.recordBytes);
      for (const [place, [stamps, bytes]] of committed.logBytes.entries()) {
        expect(logBytes[place]?.[0]).toBe(stamps);
        isNear(logBytes[place]![1], bytes);
      }
    }
  });

  /** Another Redis or allocator has other sizes of blocks; a sorted set draws its levels by chance. */
  const isNear = (bytes: number, committed: number): void => {
    expect(Math.abs(bytes - committed)).toBeLessThanOrEqual(0.1 * committed);
  };

  const api = { rate: 4, per: 60 };
  const key = { rate: 6, per: 60 };
  const WORLDS = {
    "one level": { key },
    "an API and a key": { api, key },
    "a key and a quota": { key: { ...key, quota_max: 3, quota_renewal_rate: 3600 } },
  };
  const variants = Object.entries(WORLDS).flatMap(([world, parts]) =>
    ALGORITHMS.flatMap((algorithm) =>
      (["script", "multi"] as const).map((form) => ({ world, parts, algorithm, form })),
    ),
  );

  describe("requests cost what the simulator bills", () => {
    beforeEach(async () => void (await redis.store.connection.flushall()));

    test.each(variants)("$world, $algorithm, $form", async ({ parts, algorithm, form }) => {
      const { limiter } = limiterOf(
        {
          apis: { orders: { listen: "/", ...("api" in parts ? parts.api : {}) } },
          keys: { alice: { ...parts.key, apis: ["orders"] } },
          gateway: {
            algorithm,
            store_transaction: form,
            ...(algorithm === "gcra" && { burst: "rate" }),
          },
        },
        { store: { ...REMOTE_STORE_TRAITS, hasTransactions: true } },
      );
      for (let i = 0; i < 8; i++) {
        const measured = await measureDecision(redis.store, limiter, i);
        expect({ i, ...measured.counted }).toEqual({
          i,
          ...billOfDecision(limiter, measured.decision),
        });
      }
    });
  });
});

interface MeasuredDecision {
  readonly decision: Decision;
  readonly counted: ReturnType<typeof billOfDecision>;
}

async function measureDecision(
  store: RedisStore,
  limiter: Limiter,
  seconds: number,
): Promise<MeasuredDecision> {
  const steps = decideSteps(limiter, inputOf(limiter, met(limiter, "alice"), seconds));
  let roundTrips = 0;
  let next = steps.next();
  const before = await countCommands(store, async () => {
    while (next.done !== true) {
      roundTrips++;
      next = steps.next(await perform(store, next.value));
    }
  });
  if (next.done !== true) throw new Error("the decision has not ended");
  const { decision, background } = next.value;
  const written = await countCommands(store, async () => {
    for (const op of background) await perform(store, op);
  });
  const sum = (counts: Readonly<Record<string, number>>): number =>
    Object.values(counts).reduce((total, calls) => total + calls, 0);
  return { decision, counted: { before: sum(before), roundTrips, background: sum(written) } };
}

function billOfDecision(
  limiter: Limiter,
  { refused, level, shown, remaining }: Decision,
): { readonly before: number; readonly roundTrips: number; readonly background: number } {
  const { resolved } = met(limiter, "alice");
  const { levels, inBackground } = prepare(limiter, resolved, atUs(0));
  const refusedBy = refused === null ? -1 : levels.indexOf(level!);
  const spent = remaining === 0 && shown !== null ? levels.indexOf(shown) : -1;
  const bill = billOf(levels, optionsOf(limiter), fateBy(refusedBy, spent));
  const marked = inBackground.filter((index) => refusedBy < 0 || refusedBy === index);
  const background = marked.reduce((sum, index) => {
    const { commands, inner } = markCost(levels[index]!);
    return sum + commands + inner;
  }, 0);
  return { before: bill.before + bill.inner, roundTrips: bill.roundTrips, background };
}
