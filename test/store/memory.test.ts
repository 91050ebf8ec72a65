import { describe, expect, test } from "vitest";
import { client } from "../../src/core/client.ts";
import { emptyReply } from "../../src/core/store.ts";
import { atHand, forgetAll, memoryStore, perform, sizeOf } from "../../src/store/memory.ts";
import { asked, atUs, level } from "./budgets.ts";

const alice = client("alice");

describe("two memories as one (ALG-C4)", () => {
  const share = level("drl", { rate: 2, per: 10, scope: "api" });
  const key = level("sliding_log", { rate: 2, per: 10 });

  test("a question about levels of both finds each where it is counted, bound or not", () => {
    const shared = memoryStore();
    const [here, there] = [atHand(shared, memoryStore()), atHand(shared, memoryStore())];
    const levels = [share, key];
    const ask = { op: "take", levels, client: alice, atUs: atUs(0), intent: "spend" } as const;
    here.perform(ask);
    here.bind(levels).take(alice, atUs(0), "spend", emptyReply());
    // Elsewhere the share is still whole, and the key is spent.
    expect(there.perform(ask).refusedBy).toBe(1);
    expect(here.perform(ask).refusedBy).toBe(0);
  });
});

describe("what is forgotten and what is kept", () => {
  test("a store that restarts is empty (store_restart)", () => {
    const one = level("fixed_window", { rate: 1, per: 10 });
    const ask = asked();
    ask.at(0, one);
    expect(ask.at(1, one).refusedBy).toBe(0);
    forgetAll(ask.store);
    expect(ask.at(1, one).refusedBy).toBe(-1);
  });

  test("a changed rate finds what was spent, a changed per does not (MGT-C5)", () => {
    const ask = asked();
    for (let i = 0; i < 3; i++) ask.at(0, level("fixed_window", { rate: 3, per: 10 }));
    expect(ask.at(0, level("fixed_window", { rate: 3, per: 10 })).refusedBy).toBe(0);
    expect(ask.at(0, level("fixed_window", { rate: 4, per: 10 })).refusedBy).toBe(-1);
    expect(ask.at(0, level("fixed_window", { rate: 3, per: 20 })).refusedBy).toBe(-1);
  });

  test("algorithms that count alike share what they count, others do not (LIM-C11)", () => {
    const ask = asked();
    for (let i = 0; i < 2; i++) ask.at(0, level("sliding_log", { rate: 2, per: 10 }));
    expect(ask.at(0, level("bounded_log", { rate: 2, per: 10 })).refusedBy).toBe(0);
    expect(ask.at(0, level("fixed_window", { rate: 2, per: 10 })).refusedBy).toBe(-1);
  });
});

describe("the single commands of the pipelined log (ALG-C6)", () => {
  const two = level("non_transactional", { rate: 2, per: 10 });
  const command = (op: "prune" | "count" | "add" | "expire", seconds: number) =>
    ({ op, level: two, client: alice, atUs: atUs(seconds) }) as const;

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
    expect(() => perform(memoryStore(), window)).toThrow("not to a counter");
  });
});

describe("what a store holds", () => {
  test("is one record a budget, and in a log one entry an attempt (ALG-5, ALG-9)", () => {
    const ask = asked();
    for (let i = 0; i < 5; i++) {
      ask.at(i, level("sliding_log", { rate: 2, per: 10 }));
      ask.at(i, level("fixed_window", { rate: 9, per: 10, scope: "key-api" }));
    }
    expect(sizeOf(ask.store)).toEqual({ budgets: 2, entries: 5 + 1 });
  });

  test("a bounded log keeps its rate and no more (ALG-C9)", () => {
    const ask = asked();
    for (let i = 0; i < 5; i++) ask.at(i, level("bounded_log", { rate: 2, per: 10 }));
    expect(sizeOf(ask.store)).toEqual({ budgets: 1, entries: 2 });
  });
});
