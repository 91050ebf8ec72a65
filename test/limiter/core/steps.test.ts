import { describe, expect, test } from "vitest";
import type { Decision } from "#src/limiter/core/decision.ts";
import { recordHeartbeat } from "#src/limiter/core/fleet.ts";
import { REMOTE_STORE_TRAITS, type Limiter } from "#src/limiter/core/limiter.ts";
import { performNow } from "#src/limiter/core/sequence.ts";
import { decideSteps, updateHealth, updateHealthByResult } from "#src/limiter/core/steps.ts";
import type { StoreResult, StoreOp } from "#src/limiter/core/store.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import { forgetAll, memoryStore } from "#src/limiter/store/memory.ts";
import { atUs, limiterOf, met, inputOf } from "./limiters.ts";

const remote = (gateway: object, keys: object, api: object = {}) =>
  limiterOf(
    { apis: { orders: { listen: "/orders", ...api } }, keys, gateway },
    { store: REMOTE_STORE_TRAITS },
  );

const key = (rate: number, more: object = {}) => ({ apis: ["orders"], rate, per: 10, ...more });

interface Trace {
  readonly decision: Decision;
  readonly operations: readonly StoreOp[];
  readonly background: readonly StoreOp[];
}

/** Decides at `seconds`, with a store that answers at once or, while `isDown`, not at all. */
function decide(on: Limiter, seconds: number, credential: string, isDown = false): Trace {
  const steps = decideSteps(on, inputOf(on, met(on, credential), seconds));
  const operations: StoreOp[] = [];
  let next = steps.next();
  while (next.done !== true) {
    operations.push(next.value);
    const answer: StoreResult = isDown
      ? { failed: "timeout" }
      : performNow(on.localStore, next.value);
    updateHealth(on, isDown, atUs(seconds));
    next = steps.next(answer);
  }
  next.value.background.forEach(() => updateHealth(on, isDown, atUs(seconds)));
  return { ...next.value, operations };
}

const refusals = (on: Limiter, seconds: number, senders: readonly string[]): readonly unknown[] =>
  senders.map((sender) => {
    const { refused, level } = decide(on, seconds, sender, true).decision;
    return refused === null ? null : (level?.budget.scope ?? refused);
  });

describe("what goes to the store", () => {
  test("is one operation on all levels (LIM-C1)", () => {
    const { limiter } = remote(
      { algorithm: "sliding_log" },
      { alice: key(2) },
      { rate: 3, per: 1 },
    );
    const { operations, background } = decide(limiter, 0, "alice");
    expect(operations).toMatchObject([{ op: "take", levels: { length: 2 } }]);
    expect(background).toEqual([]);
  });

  test("is nothing where DRL counts everything, in whichever order (ALG-C4)", () => {
    const gateway = { algorithm: "drl", limit_order: "key_first" };
    const { limiter } = remote(gateway, { alice: key(1) }, { rate: 1, per: 1 });
    expect(decide(limiter, 0, "alice")).toMatchObject({
      operations: [],
      decision: { refused: null },
    });
    expect(decide(limiter, 0, "alice").decision.level?.budget.scope).toBe("key");
  });

  test("is a mark background a sentinel's answer, of who refused or of all that admitted (ALG-C5)", () => {
    const gateway = { algorithm: "sentinel" };
    const { limiter } = remote(gateway, { alice: key(1) }, { rate: 9, per: 1 });
    const first = decide(limiter, 0, "alice");
    expect(first.background).toMatchObject([{ op: "mark" }, { op: "mark" }]);
    for (const op of first.background) performNow(limiter.localStore, op);
    expect(decide(limiter, 0, "alice").background).toMatchObject([
      { op: "mark", level: { budget: { scope: "key" } } },
    ]);
  });
});

describe("a store that does not answer (ALG-C8)", () => {
  const shares = (expected: number | null, more: object = {}) => ({
    algorithm: "sliding_log",
    ...(expected === null ? {} : { expected_gateways: expected }),
    ...more,
  });

  test("local: each gateway enforces its share of what the last count of gateways was", () => {
    const { limiter } = remote(shares(null), { alice: key(9) });
    for (const other of ["b", "c"])
      recordHeartbeat(limiter.fleet, other, atUs(0), micros(4 * SECOND));
    decide(limiter, 0, "alice");
    expect(refusals(limiter, 1, ["alice", "alice", "alice", "alice"])).toEqual([
      null,
      null,
      null,
      "key",
    ]);
    // Still three, though the heartbeats are older than drl_expiry: the count is frozen.
    expect(refusals(limiter, 12, ["alice", "alice", "alice", "alice"])).toEqual([
      null,
      null,
      null,
      "key",
    ]);
  });

  test.each([
    [null, ["store"]],
    [3, [null]],
  ])("a gateway that never reached the store goes by expected_gateways %s", (expected, result) => {
    const { limiter } = remote(shares(expected), { alice: key(9) });
    expect(refusals(limiter, 0, ["alice"])).toEqual(result);
  });

  test("what a key's share refuses takes nothing from the API's (LIM-C1)", () => {
    const { limiter } = remote(shares(1), { alice: key(1), bob: key(9) }, { rate: 3, per: 10 });
    expect(refusals(limiter, 0, ["alice", "alice", "alice", "bob", "bob", "bob"])).toEqual([
      null,
      "key",
      "key",
      null,
      null,
      "api",
    ]);
  });

  test("key first, the key's share is spent although the API refuses", () => {
    const gateway = shares(1, { limit_order: "key_first" });
    const { limiter } = remote(gateway, { alice: key(2), bob: key(1) }, { rate: 1, per: 10 });
    expect(refusals(limiter, 0, ["bob", "alice", "alice", "alice"])).toEqual([
      null,
      "api",
      "api",
      "key",
    ]);
  });

  test("a smoothed limit goes by the last A seen here, else by its threshold", () => {
    const smoothing = { enabled: true, threshold: 2, step: 3, trigger: 0.5, delay: 1 };
    const smoothed = key(9, { smoothing });
    const unseen = remote(shares(1), { alice: smoothed }).limiter;
    expect(refusals(unseen, 0, ["alice", "alice", "alice"])).toEqual([null, null, "key"]);
    const { limiter } = remote(shares(1), { alice: smoothed });
    decide(limiter, 0, "alice");
    expect(decide(limiter, 1, "alice").decision.limit).toBe(5);
    const six = Array.from({ length: 6 }, () => "alice");
    expect(refusals(limiter, 2, six)).toEqual([null, null, null, null, null, "key"]);
  });

  test("a quota goes by its part of what was last seen left, and by nothing where nothing was seen", () => {
    const alice = { apis: ["orders"], quota_max: 5, quota_renewal_rate: 60 };
    const { limiter } = remote(shares(1), { alice, bob: alice });
    recordHeartbeat(limiter.fleet, "b", atUs(0), micros(4 * SECOND));
    decide(limiter, 0, "alice"); // 4 left, 2 of them for this gateway
    expect(refusals(limiter, 1, ["alice", "alice", "alice", "bob"])).toEqual([
      null,
      null,
      "quota",
      "quota",
    ]);
  });

  test("the last values of a hundred thousand budgets are stored, and the oldest is dropped first", () => {
    const alice = { apis: ["orders"], quota_max: 5, quota_renewal_rate: 60 };
    const { limiter } = remote(shares(1), { alice });
    for (let i = 0; i < 100_000; i++) limiter.lastSeen.set(`stranger ${i}`, 1);
    decide(limiter, 0, "alice");
    expect(limiter.lastSeen.size).toBe(100_000);
    expect([...limiter.lastSeen.keys()].slice(0, 1)).toEqual(["stranger 1"]);
  });

  test("allow lets everything pass", () => {
    const { limiter } = remote(shares(1, { on_store_error: "allow" }), { alice: key(0) });
    expect(decide(limiter, 0, "alice", true).decision).toMatchObject({
      refused: null,
      fallback: true,
    });
  });

  const QUOTA = { quota_max: 100, quota_renewal_rate: 100 };
  const HERE = { algorithm: "drl", expected_gateways: 1 };

  // The fifth failure in a row is the last that is waited for.
  test.each([
    ["local", "api_first", [null, null, "key", "key", "key", "key", "key", "key"]],
    ["local", "key_first", [null, null, "key", "key", "key", "key", "key", "key"]],
    ["allow", "api_first", [null, null, "key", "key", "key", "key", "key", "key"]],
    ["allow", "key_first", [null, null, "key", "key", "key", "key", "key", "key"]],
    ["deny", "api_first", Array(8).fill("store")],
    ["deny", "key_first", Array(8).fill("store")],
  ])("%s, %s, still counts what is counted here (ALG-C4)", (onStoreError, limitOrder, scopes) => {
    const options = { ...HERE, on_store_error: onStoreError, limit_order: limitOrder };
    const { limiter } = remote(options, { alice: key(3, QUOTA) });
    decide(limiter, 0, "alice");
    expect(refusals(limiter, 1, Array(8).fill("alice"))).toEqual(scopes);
  });

  test("deny leaves a refusal of what is counted here as it is", () => {
    const options = { ...HERE, on_store_error: "deny" };
    const { limiter } = remote(options, { alice: key(1, QUOTA), bob: key(9, QUOTA) });
    decide(limiter, 0, "alice");
    const senders = ["alice", "bob", "bob", "bob", "bob", "bob", "bob", "alice"];
    expect(refusals(limiter, 1, senders)).toEqual(["key", ...Array(6).fill("store"), "key"]);
  });

  test("deny answers 503 with one second", () => {
    const { limiter } = remote(shares(1, { on_store_error: "deny" }), { alice: key(9) });
    expect(decide(limiter, 0, "alice", true).decision).toMatchObject({
      refused: "store",
      retryAfterUs: SECOND,
    });
  });

  test("DRL needs no store and goes on as before", () => {
    const { limiter } = remote({ algorithm: "drl" }, { alice: key(1) });
    expect(refusals(limiter, 0, ["alice", "alice"])).toEqual([null, "key"]);
    expect(decide(limiter, 0, "alice", true).decision.fallback).toBe(false);
  });
});

describe("after five failures in a row (ALG-C8)", () => {
  const rigAfterFailures = (times: number) => {
    const made = remote({ algorithm: "sliding_log", expected_gateways: 1 }, { alice: key(99) });
    for (let i = 0; i < times; i++) decide(made.limiter, 0, "alice", true);
    return made;
  };

  test("no request waits for the store, and one a second probes it", () => {
    const { limiter } = rigAfterFailures(5);
    expect(decide(limiter, 0.9, "alice", true)).toMatchObject({ operations: [], background: [] });
    expect(decide(limiter, 1, "alice", true)).toMatchObject({
      operations: [],
      background: [{ op: "take", intent: "evaluate" }],
    });
    expect(decide(limiter, 1.9, "alice", true).background).toEqual([]);
    expect(decide(limiter, 2, "alice", true).background).toHaveLength(1);
  });

  test("four are not enough", () => {
    expect(decide(rigAfterFailures(4).limiter, 0.5, "alice").operations).toHaveLength(1);
  });

  test("one answer brings the store back; each change-over is an event", () => {
    const { limiter, events } = rigAfterFailures(5);
    updateHealth(limiter, false, atUs(1));
    expect(decide(limiter, 1, "alice").operations).toHaveLength(1);
    expect(events.map(({ event }) => event)).toEqual(["StoreUnavailable", "StoreRecovered"]);
  });
});

test("if a budget's part of the store is lost, each gateway admits its share, without an event", () => {
  const { limiter: on, events } = remote({}, { alice: key(4) });
  decide(on, 0, "alice"); // the store answers
  recordHeartbeat(on.fleet, "other", atUs(0), micros(4 * SECOND));
  const passed = Array.from({ length: 3 }, (_, i) => {
    const steps = decideSteps(on, inputOf(on, met(on, "alice"), 1 + i / 10));
    expect(steps.next().done).toBe(false); // sent: only the store knows whether it is lost
    const lost: StoreResult = { failed: "lost" };
    updateHealthByResult(on, lost, atUs(1));
    const next = steps.next(lost);
    return next.done === true && next.value.decision.refused === null;
  });
  expect(passed).toEqual([true, true, false]);
  expect(on.health.failures).toBe(0);
  expect(events).toEqual([]);
  updateHealthByResult(on, { failed: "error" }, atUs(2));
  expect(events).toMatchObject([{ event: "StoreUnavailable" }]);
});

test("a store that restarted between two operations is used like a new one", () => {
  const shared = memoryStore();
  const raw = { apis: { orders: { listen: "/orders" } }, keys: { alice: key(1) }, gateway: {} };
  const { limiter } = limiterOf(raw, { store: REMOTE_STORE_TRAITS, shared });
  decide(limiter, 0, "alice");
  forgetAll(shared);
  expect(decide(limiter, 0, "alice").decision.refused).toBeNull();
});
