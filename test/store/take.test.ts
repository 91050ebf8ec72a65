import { describe, expect, test } from "vitest";
import { client } from "../../src/core/client.ts";
import { ALGORITHMS, type Algorithm } from "../../src/core/algorithms.ts";
import type { Level } from "../../src/core/store.ts";
import { perform } from "../../src/store/memory.ts";
import { asked, atUs, level, type Asked } from "./budgets.ts";

const alice = client("alice");
const api = (algorithm: Algorithm, rate: number): Level =>
  level(algorithm, { rate, per: 10, scope: "api" });
const key = (algorithm: Algorithm, rate: number): Level => level(algorithm, { rate, per: 10 });
const quota = level("fixed_window", { rate: 2, per: 60, scope: "quota" });

const passes = (ask: Asked, who: string, ...levels: readonly Level[]): boolean =>
  ask.as(client(who), 0, "spend", ...levels).refusedBy < 0;

const COUNTED = ALGORITHMS.filter((algorithm) => algorithm !== "sentinel");

describe.each(COUNTED)("%s beside other levels (LIM-C1)", (algorithm) => {
  test("is not spent for who is refused by a later one", () => {
    const ask = asked();
    const levels = [api(algorithm, 3), key("fixed_window", 1)];
    const sent = ["alice", "alice", "alice", "alice", "bob", "carol", "dave"];
    const passed = sent.filter((who) => passes(ask, who, ...levels));
    // GCRA without a burst passes one of them only.
    const all = algorithm === "gcra" ? ["alice"] : ["alice", "bob", "carol"];
    expect(passed).toEqual(all);
  });

  test("is not spent for who is refused by an earlier one", () => {
    const ask = asked();
    passes(ask, "bob", api("fixed_window", 1));
    for (let i = 0; i < 5; i++) passes(ask, "alice", api("fixed_window", 1), key(algorithm, 1));
    expect(passes(ask, "alice", key(algorithm, 1))).toBe(true);
  });

  test("is not spent for who has no quota left", () => {
    const ask = asked();
    for (const seconds of [0, 10]) ask.at(seconds, key(algorithm, 9), quota);
    expect(ask.at(45, key(algorithm, 9), quota)).toMatchObject({ refusedBy: 1, quotaLeft: 0 });
    expect(ask.at(45, key(algorithm, 1)).refusedBy).toBe(-1);
  });

  test("is one for everybody where it is an API's (LIM-7)", () => {
    const ask = asked();
    const one = api(algorithm, 1);
    expect(["alice", "bob"].map((who) => passes(ask, who, one))).toEqual([true, false]);
  });

  test("is back as it was when what was taken is given back", () => {
    const ask = asked();
    const one = key(algorithm, 1);
    passes(ask, "alice", one);
    perform(ask.store, { op: "give_back", level: one, client: alice, atUs: atUs(0) });
    expect([passes(ask, "alice", one), passes(ask, "alice", one)]).toEqual([true, false]);
  });

  test("gives nothing back to who was never there", () => {
    const ask = asked();
    perform(ask.store, { op: "give_back", level: key(algorithm, 1), client: alice, atUs: atUs(0) });
    expect(passes(ask, "alice", key(algorithm, 1))).toBe(true);
  });
});

describe("a refusal is written to the log that refused, and nowhere else (ALG-3)", () => {
  test.each<Algorithm>(["sliding_log", "bounded_log", "non_transactional", "sentinel"])(
    "%s",
    (algorithm) => {
      const ask = asked();
      const levels = [api("sliding_log", 9), key(algorithm, 1)];
      ask.at(0, ...levels);
      for (let seconds = 1; seconds < 40; seconds++)
        expect(ask.at(seconds, ...levels)).toMatchObject({ refusedBy: 1, waitUs: 10_000_000 });
      expect(ask.at(49, ...levels)).toMatchObject({ refusedBy: -1 });
      expect(ask.store.tables.get("log/api/10000000us")).toMatchObject({ stamps: { held: 1 } });
    },
  );

  test.each<Algorithm>(["fixed_window", "drl", "token_bucket", "gcra", "sliding_window_counter"])(
    "%s has no log: a refusal takes nothing (ALG-C3, ALG-C4)",
    (algorithm) => {
      const [calm, eager] = [asked(), asked()];
      for (const ask of [calm, eager]) ask.at(0, key(algorithm, 1));
      for (let i = 0; i < 50; i++) eager.at(1, key(algorithm, 1));
      expect(eager.at(19.9, key(algorithm, 1))).toEqual(calm.at(19.9, key(algorithm, 1)));
    },
  );
});

describe("the answer for several levels", () => {
  test("is the first refusal, with the longest wait of all (LIM-2, HDR-C1)", () => {
    const ask = asked();
    const levels = [
      level("fixed_window", { rate: 1, per: 5, scope: "api" }),
      key("fixed_window", 1),
    ];
    ask.at(0, ...levels);
    expect(ask.at(1, ...levels)).toMatchObject({
      refusedBy: 0,
      waitUs: 9_000_000,
      shown: 0,
      resetUs: atUs(5), // what is shown is the refuser's own
    });
  });

  test("shows the tightest of those that admit (HDR-C2)", () => {
    const ask = asked();
    expect(ask.at(0, api("fixed_window", 5), key("fixed_window", 3))).toMatchObject({
      shown: 1,
      limit: 3,
      remaining: 2,
    });
    expect(ask.at(0, api("fixed_window", 3), key("fixed_window", 9))).toMatchObject({
      shown: 0,
      remaining: 1,
    });
  });

  test("shows a rate beside a quota that refuses, and tells what is left of both", () => {
    const ask = asked();
    const levels = [key("fixed_window", 5), quota];
    expect(ask.at(0, ...levels)).toMatchObject({ shown: 0, remaining: 4, quotaLeft: 1 });
    ask.at(0, ...levels);
    expect(ask.at(0, ...levels)).toMatchObject({
      refusedBy: 1,
      shown: 0,
      remaining: 3,
      quotaLeft: 0,
      waitUs: 60_000_000,
    });
  });

  test("shows nothing where only a quota counts", () => {
    expect(asked().at(0, quota)).toMatchObject({ shown: -1, limit: -1, quotaLeft: 1 });
  });

  test("is infinite where waiting does not help", () => {
    expect(asked().at(0, key("sliding_log", 0))).toMatchObject({
      refusedBy: 0,
      waitUs: Number.POSITIVE_INFINITY,
    });
  });
});
