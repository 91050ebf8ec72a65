import { describe, expect, test } from "vitest";
import type { Decision } from "#src/limiter/core/decision.ts";
import { recordHeartbeat } from "#src/limiter/core/fleet.ts";
import {
  limiter as newLimiter,
  prepare,
  REMOTE_STORE_TRAITS,
  type Limiter,
} from "#src/limiter/core/limiter.ts";
import { performNow } from "#src/limiter/core/sequence.ts";
import { decideSteps, updateHealth } from "#src/limiter/core/steps.ts";
import type { StoreResult, Intent, StoreOp } from "#src/limiter/core/store.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import { localStore, memoryStore } from "#src/limiter/store/memory.ts";
import { atUs, limiterOf, met, inputOf, resolverOf } from "./limiters.ts";

const QUOTA = { quota_max: 5, quota_renewal_rate: 60 };
const key = (rate: number, more: object = {}) => ({ apis: ["orders"], rate, per: 10, ...more });

const remote = (
  gateway: object,
  alice: object,
  api: object = {},
  store = REMOTE_STORE_TRAITS,
): Limiter =>
  limiterOf(
    { apis: { orders: { listen: "/orders", ...api } }, keys: { alice }, gateway },
    { store },
  ).limiter;

interface Setting {
  readonly isDown?: boolean;
  readonly intent?: Intent;
}

interface Trace {
  readonly decision: Decision;
  readonly operations: readonly string[];
  readonly background: readonly string[];
}

const nameOf = (op: StoreOp): string => {
  if (op.op === "pipeline") return "pipeline";
  const levels = op.op === "take" ? op.levels : [op.level];
  return [op.op, ...levels.map(({ budget }) => budget.scope)].join(" ");
};

function decide(on: Limiter, seconds: number, { isDown = false, intent }: Setting = {}): Trace {
  const steps = decideSteps(on, inputOf(on, met(on, "alice"), seconds, intent));
  const operations: string[] = [];
  let next = steps.next();
  while (next.done !== true) {
    operations.push(nameOf(next.value));
    const answer: StoreResult = isDown
      ? { failed: "timeout" }
      : performNow(on.localStore, next.value);
    updateHealth(on, isDown, atUs(seconds));
    next = steps.next(answer);
  }
  return {
    decision: next.value.decision,
    operations,
    background: next.value.background.map(nameOf),
  };
}

const down = { isDown: true } as const;
const refusals = (on: Limiter, ...seconds: readonly number[]): readonly unknown[] =>
  seconds.map((at) => decide(on, at, down).decision.refused);

describe("operations on a remote store", () => {
  test("none without a limit", () => {
    const unlimited = remote({}, { apis: ["orders"] });
    expect(decide(unlimited, 0)).toMatchObject({ operations: [], background: [] });
    expect(decide(unlimited, 0).decision).toMatchObject({ refused: null, limit: -1 });
  });

  test("only for levels that are not counted here (ALG-C4)", () => {
    const some = remote({ algorithm: "drl" }, key(1, QUOTA));
    expect(decide(some, 0)).toMatchObject({
      operations: ["take quota"],
      decision: { fallback: false },
    });
    expect(decide(some, 0)).toMatchObject({
      operations: ["take quota"],
      decision: { refused: "rate" },
    });
  });

  test.each([
    ["api_first", ["pipeline", "take api", "pipeline", "take key", "give_back api"]],
    ["key_first", ["pipeline", "take key"]],
  ])("%s, a log as single commands, and what it refunds (LIM-C1)", (limitOrder, operations) => {
    const gateway = { algorithm: "non_transactional", limit_order: limitOrder };
    const alice = remote(gateway, key(0), { rate: 1, per: 10 });
    expect(decide(alice, 0).operations.slice(0, operations.length)).toEqual(operations);
    expect(decide(alice, 0).operations.includes("give_back api")).toBe(limitOrder === "api_first");
  });

  test("key_first refunds nothing, though the API refuses", () => {
    const gateway = { algorithm: "non_transactional", limit_order: "key_first" };
    const { operations, decision } = decide(remote(gateway, key(9), { rate: 0, per: 10 }), 0);
    expect(decision.refused).toBe("rate");
    expect(operations.some((op) => op.startsWith("give_back"))).toBe(false);
  });

  test("an evaluation has no background write (ALG-C5)", () => {
    const alice = remote({ algorithm: "sentinel" }, key(1));
    expect(decide(alice, 0, { intent: "evaluate" }).background).toEqual([]);
    expect(decide(alice, 0).background).toEqual(["mark key"]);
  });

  test("after five failures, a probe of the remote levels (ALG-C8)", () => {
    const some = remote({ algorithm: "drl", expected_gateways: 1 }, key(9, QUOTA));
    for (let i = 0; i < 5; i++) decide(some, 0, down);
    expect(decide(some, 1, down)).toMatchObject({ operations: [], background: ["take quota"] });
  });
});

describe("over a split store (LIM-C1)", () => {
  const split = (api: object): Limiter => {
    const gateway = { algorithm: "fixed_window", expected_gateways: 1 };
    return remote(gateway, key(9), api, { ...REMOTE_STORE_TRAITS, isSplit: true });
  };

  test("several budgets take several operations, and one budget takes one", () => {
    expect(decide(split({ rate: 9, per: 10 }), 0).operations).toEqual(["take api", "take key"]);
    expect(decide(split({}), 0).operations).toEqual(["take key"]);
    expect(prepare(split({}), met(split({}), "alice").resolved, atUs(0)).isOneStep).toBe(true);
  });

  test("a probe evaluates one budget alone", () => {
    const alice = split({ rate: 9, per: 10 });
    for (let i = 0; i < 5; i++) decide(alice, 0, down);
    expect(decide(alice, 1, down).background).toEqual(["take api"]);
  });
});

describe("the last values that a gateway read from the store (ALG-C8)", () => {
  const LOCAL = { algorithm: "fixed_window", expected_gateways: 1 };

  test("are those of quotas and allowances, also 0", () => {
    const alice = remote(LOCAL, key(9, { ...QUOTA, quota_max: 1 }));
    decide(alice, 0);
    expect([...alice.lastSeen.values()]).toEqual([0]);
    expect(refusals(alice, 1)).toEqual(["quota"]);
  });

  test("remain if another level refused", () => {
    const alice = remote(LOCAL, key(1, QUOTA));
    decide(alice, 0);
    decide(alice, 1);
    expect([...alice.lastSeen.values()]).toEqual([4]);
  });

  test("are in the order in which they were read last", () => {
    const alice = remote(LOCAL, key(9, QUOTA));
    decide(alice, 0);
    alice.lastSeen.set("stranger", 1);
    decide(alice, 1);
    expect([...alice.lastSeen.values()]).toEqual([1, 3]);
  });

  test("are a hundred thousand at most", () => {
    const alice = remote(LOCAL, key(9, QUOTA));
    for (let i = 1; i < 100_000; i++) alice.lastSeen.set(`stranger ${i}`, 1);
    decide(alice, 0);
    expect(alice.lastSeen.has("stranger 1")).toBe(true);
  });
});

describe("a decision without the store (ALG-C8)", () => {
  test.each(["api_first", "key_first"])("%s, is marked as fallback", (limitOrder) => {
    const alice = remote({ limit_order: limitOrder, expected_gateways: 1 }, key(1));
    const { decision } = decide(alice, 0, down);
    expect(decision.fallback).toBe(true);
    expect(decision.level?.budget.because).toEqual(["LIM-13", "ALG-C8"]);
  });

  test("one that is left of a quota is for none of two gateways", () => {
    const alice = remote({ algorithm: "fixed_window" }, key(9, { ...QUOTA, quota_max: 2 }));
    recordHeartbeat(alice.fleet, "b", atUs(0), micros(4 * SECOND));
    decide(alice, 0);
    expect(refusals(alice, 1)).toEqual(["quota"]);
  });

  test("shows the allowance that was read last, also where a share of it is as large as before", () => {
    const smoothing = { enabled: true, threshold: 4, trigger: 0.5, step: 1, delay: 1 };
    const alice = remote({ algorithm: "sliding_log" }, { ...key(9), smoothing });
    recordHeartbeat(alice.fleet, "b", atUs(0), micros(60 * SECOND));
    const limitAfter = (...seconds: readonly number[]): number => {
      for (const at of seconds) decide(alice, at);
      return decide(alice, seconds.at(-1)!, down).decision.limit;
    };
    expect([limitAfter(0), limitAfter(1, 2, 3)]).toEqual([4, 5]); // a share of 2 both times
  });

  test("one of one is for each of two, because a rate of some admits one at least", () => {
    const alice = remote({ algorithm: "fixed_window" }, key(1));
    recordHeartbeat(alice.fleet, "b", atUs(0), micros(4 * SECOND));
    decide(alice, 0);
    expect(refusals(alice, 1, 1)).toEqual([null, "rate"]);
  });

  test("is counted in windows of its own, which begin with their first request", () => {
    const gateway = {
      algorithm: "fixed_window",
      fixed_window_start: "clock",
      expected_gateways: 1,
    };
    expect(refusals(remote(gateway, key(1)), 5, 12, 15)).toEqual([null, "rate", null]);
  });

  test("needs no listener for events", () => {
    const raw = { apis: { orders: { listen: "/orders" } }, keys: { alice: key(1) }, gateway: {} };
    const alone = newLimiter(
      resolverOf(raw),
      localStore(memoryStore(), memoryStore()),
      REMOTE_STORE_TRAITS,
      null,
    );
    expect(decide(alone, 0, down).decision.refused).toBe("store");
  });
});
