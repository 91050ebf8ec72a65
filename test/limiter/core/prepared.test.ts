import { describe, expect, test } from "vitest";
import { type Decision, UNLIMITED } from "#src/limiter/core/decision.ts";
import {
  inTransactions,
  needsBackgroundWrite,
  LOCAL_STORE_TRAITS,
  optionsOf,
  prepare,
  REMOTE_STORE_TRAITS,
} from "#src/limiter/core/limiter.ts";
import { atUs, decide, limiterOf, met } from "./limiters.ts";

const SMOOTHING = { enabled: true, threshold: 2, step: 3, trigger: 0.5, delay: 1 };
const QUOTA = { quota_max: 9, quota_renewal_rate: 60 };

function twoLevels(gateway: object, key: object = {}, store = LOCAL_STORE_TRAITS) {
  const limit = { rate: 9, per: 10 };
  const { limiter } = limiterOf(
    {
      apis: { orders: { listen: "/orders", ...limit } },
      keys: { alice: { apis: ["orders"], ...limit, ...key } },
      gateway,
    },
    { store },
  );
  return { limiter, prepared: prepare(limiter, met(limiter, "alice").resolved, atUs(0)) };
}

describe("all levels are one step (LIM-C1)", () => {
  test.each<[string, object, object, boolean, boolean]>([
    // what, gateway, key, over a local store, over a remote store
    ["where all are counted in one place", { algorithm: "sliding_log" }, {}, true, true],
    ["also with a quota", { algorithm: "sliding_log" }, QUOTA, true, true],
    ["of DRL, which is counted in the gateway", { algorithm: "drl" }, {}, true, true],
    ["not where some are counted here, some there", { algorithm: "drl" }, QUOTA, true, false],
    ["not as single commands (ALG-C6)", { algorithm: "non_transactional" }, {}, true, false],
    ["not where only some are", { algorithm: "non_transactional" }, QUOTA, true, false],
    ["not key first", { algorithm: "sliding_log", limit_order: "key_first" }, {}, false, false],
    ["not key first, of DRL", { algorithm: "drl", limit_order: "key_first" }, {}, false, false],
  ])("%s", (_, gateway, key, isOneStepLocally, isOneStepRemotely) => {
    expect(twoLevels(gateway, key).prepared.isOneStep).toBe(isOneStepLocally);
    expect(twoLevels(gateway, key, REMOTE_STORE_TRAITS).prepared.isOneStep).toBe(isOneStepRemotely);
  });
});

test("a log is written in a transaction if the option is set and the store supports them (ALG-C7)", () => {
  const isUsed = (wanted: string, hasTransactions: boolean): boolean => {
    const store = { ...REMOTE_STORE_TRAITS, hasTransactions };
    return inTransactions(twoLevels({ store_transaction: wanted }, {}, store).limiter);
  };
  expect(isUsed("multi", false)).toBe(false);
  expect(isUsed("multi", true)).toBe(true);
  expect(isUsed("script", true)).toBe(false);
});

describe("the background writes of a sentinel (ALG-C5, LIM-C9)", () => {
  const listWritten = (limitOrder: string, refusedBy: number | null, intent: "spend" | "try") => {
    const { limiter, prepared } = twoLevels({ algorithm: "sentinel", limit_order: limitOrder });
    const decision: Decision = {
      ...UNLIMITED,
      refused: refusedBy === null ? null : "rate",
      level: prepared.levels[refusedBy ?? 0]!,
    };
    return prepared.inBackground
      .filter((index) =>
        needsBackgroundWrite(prepared, index, decision, optionsOf(limiter), intent),
      )
      .map((index) => prepared.levels[index]!.budget.scope);
  };

  test.each([
    ["api_first", "none", null, "spend", ["api", "key"]],
    ["api_first", "none", null, "try", ["api", "key"]],
    ["api_first", "the API", 0, "spend", ["api"]],
    ["api_first", "the API", 0, "try", ["api"]],
    ["api_first", "the key", 1, "spend", ["key"]],
    ["api_first", "the key", 1, "try", []],
    ["key_first", "none", null, "spend", ["key", "api"]],
    ["key_first", "the key", 0, "spend", ["key"]],
    ["key_first", "the key", 0, "try", []],
    ["key_first", "the API", 1, "spend", ["key", "api"]],
    ["key_first", "the API", 1, "try", ["key", "api"]],
  ] as const)("%s, %s refuses (%s), a %s: %j", (limitOrder, _, refusedBy, intent, scopes) => {
    expect(listWritten(limitOrder, refusedBy, intent)).toEqual(scopes);
  });

  test("is nothing where the store refused, because it is away", () => {
    const { limiter, prepared } = twoLevels({ algorithm: "sentinel" });
    const away: Decision = { ...UNLIMITED, refused: "store" };
    expect(needsBackgroundWrite(prepared, 0, away, optionsOf(limiter), "spend")).toBe(false);
  });

  test("changes the allowance, and the decision has the change", () => {
    const { limiter } = limiterOf({
      apis: { orders: { listen: "/orders", rate: 9, per: 10 } },
      keys: { alice: { apis: ["orders"], rate: 9, per: 10, smoothing: SMOOTHING } },
      gateway: { algorithm: "sentinel" },
    });
    const decisions = [0, 1, 1.5, 2, 30].map((seconds) => {
      const { refused, limit, changes } = decide(limiter, seconds, "alice");
      return [refused, limit, ...changes.map(({ change }) => change.allowance)];
    });
    expect(decisions).toEqual([
      [null, 2],
      [null, 2, 5],
      [null, 5],
      [null, 5, 8],
      [null, 8, 5, 2], // both at their own times, without a request
    ]);
  });
});
