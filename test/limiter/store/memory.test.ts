import { describe, expect, test } from "vitest";
import { client } from "#src/limiter/core/client.ts";
import { emptyReply } from "#src/limiter/core/store.ts";
import { localStore, forgetAll, memoryStore, perform, sizeOf } from "#src/limiter/store/memory.ts";
import { requestsTo, atUs, level } from "./budgets.ts";

const alice = client("alice");

describe("two memories as one (ALG-C4)", () => {
  const share = level("drl", { rate: 2, per: 10, scope: "api" });
  const key = level("sliding_log", { rate: 2, per: 10 });

  test("an operation on levels of both finds each where it is counted, bound or not", () => {
    const shared = memoryStore();
    const [here, there] = [localStore(shared, memoryStore()), localStore(shared, memoryStore())];
    const levels = [share, key];
    const operation = {
      op: "take",
      levels,
      client: alice,
      atUs: atUs(0),
      intent: "spend",
      units: 1,
    } as const;
    here.perform(operation);
    here.bind(levels).take(alice, atUs(0), "spend", emptyReply(), 1);
    // Elsewhere the share is still whole, and the key is spent.
    expect(there.perform(operation).refusedBy).toBe(1);
    expect(here.perform(operation).refusedBy).toBe(0);
  });
});

describe("the store forgets and retains", () => {
  test("a store that restarts is empty (store_restart)", () => {
    const one = level("fixed_window", { rate: 1, per: 10 });
    const requests = requestsTo();
    requests.at(0, one);
    expect(requests.at(1, one).refusedBy).toBe(0);
    forgetAll(requests.store);
    expect(requests.at(1, one).refusedBy).toBe(-1);
  });

  test("a changed rate finds what was spent, a changed per does not (MGT-C5)", () => {
    const requests = requestsTo();
    for (let i = 0; i < 3; i++) requests.at(0, level("fixed_window", { rate: 3, per: 10 }));
    expect(requests.at(0, level("fixed_window", { rate: 3, per: 10 })).refusedBy).toBe(0);
    expect(requests.at(0, level("fixed_window", { rate: 4, per: 10 })).refusedBy).toBe(-1);
    expect(requests.at(0, level("fixed_window", { rate: 3, per: 20 })).refusedBy).toBe(-1);
  });

  test("algorithms that count alike share what they count, others do not (LIM-C11)", () => {
    const requests = requestsTo();
    for (let i = 0; i < 2; i++) requests.at(0, level("sliding_log", { rate: 2, per: 10 }));
    expect(requests.at(0, level("bounded_log", { rate: 2, per: 10 })).refusedBy).toBe(0);
    expect(requests.at(0, level("fixed_window", { rate: 2, per: 10 })).refusedBy).toBe(-1);
  });
});

describe("the single commands of the pipelined log (ALG-C6)", () => {
  const two = level("non_transactional", { rate: 2, per: 10 });
  const command = (op: "prune" | "count" | "add" | "expire", seconds: number) =>
    ({ op, level: two, client: alice, atUs: atUs(seconds), units: 1 }) as const;

  test("count what was added and not yet pruned", () => {
    const store = memoryStore();
    perform(store, command("add", 0));
    perform(store, command("add", 1));
    expect(perform(store, command("count", 10)).count).toBe(2);
    perform(store, command("prune", 10));
    expect(perform(store, command("count", 10)).count).toBe(1);
    perform(store, command("expire", 30));
    expect(perform(store, command("count", 30)).count).toBe(1); // an expiry decides nothing
  });

  test("belong to a log alone", () => {
    const window = { ...command("add", 0), level: level("fixed_window", { rate: 2, per: 10 }) };
    expect(() => perform(memoryStore(), window)).toThrow("not a counter");
  });
});

describe("what a store holds", () => {
  test("is one record a budget, and in a log one entry an attempt (ALG-5, ALG-9)", () => {
    const requests = requestsTo();
    for (let i = 0; i < 5; i++) {
      requests.at(i, level("sliding_log", { rate: 2, per: 10 }));
      requests.at(i, level("fixed_window", { rate: 9, per: 10, scope: "key-api" }));
    }
    expect(sizeOf(requests.store)).toEqual({ budgets: 2, entries: 5 + 1 });
  });

  test("a bounded log keeps its rate and no more (ALG-C9)", () => {
    const requests = requestsTo();
    for (let i = 0; i < 5; i++) requests.at(i, level("bounded_log", { rate: 2, per: 10 }));
    expect(sizeOf(requests.store)).toEqual({ budgets: 1, entries: 2 });
  });
});
