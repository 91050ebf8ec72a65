import { describe, expect, test } from "vitest";
import { client } from "#src/limiter/core/client.ts";
import { ALGORITHMS, type Algorithm } from "#src/limiter/core/algorithms.ts";
import type { Level } from "#src/limiter/core/store.ts";
import { perform } from "#src/limiter/store/memory.ts";
import { requestsTo, atUs, level, type StoreRequests } from "./budgets.ts";

const alice = client("alice");
const api = (algorithm: Algorithm, rate: number): Level =>
  level(algorithm, { rate, per: 10, scope: "api", options: { queue: rate - 1 } });
const key = (algorithm: Algorithm, rate: number): Level =>
  level(algorithm, { rate, per: 10, options: { queue: rate - 1 } });
const quota = level("fixed_window", { rate: 2, per: 60, scope: "quota" });

const passes = (requests: StoreRequests, name: string, ...levels: readonly Level[]): boolean =>
  requests.as(client(name), 0, "spend", ...levels).refusedBy < 0;

const COUNTED = ALGORITHMS.filter((algorithm) => algorithm !== "sentinel");

describe.each(COUNTED)("%s with other levels (LIM-C1)", (algorithm) => {
  test("is not spent by a client that a later one refuses", () => {
    const requests = requestsTo();
    const levels = [api(algorithm, 3), key("fixed_window", 1)];
    const sent = ["alice", "alice", "alice", "alice", "bob", "carol", "dave"];
    const passed = sent.filter((name) => passes(requests, name, ...levels));
    // GCRA without a burst passes one of them only.
    const all = algorithm === "gcra" ? ["alice"] : ["alice", "bob", "carol"];
    expect(passed).toEqual(all);
  });

  test("is not spent by a client that an earlier one refuses", () => {
    const requests = requestsTo();
    passes(requests, "bob", api("fixed_window", 1));
    for (let i = 0; i < 5; i++)
      passes(requests, "alice", api("fixed_window", 1), key(algorithm, 1));
    expect(passes(requests, "alice", key(algorithm, 1))).toBe(true);
  });

  test("is not spent by a client without quota", () => {
    const requests = requestsTo();
    for (const seconds of [0, 10]) requests.at(seconds, key(algorithm, 9), quota);
    expect(requests.at(45, key(algorithm, 9), quota)).toMatchObject({ refusedBy: 1, quotaLeft: 0 });
    expect(requests.at(45, key(algorithm, 1)).refusedBy).toBe(-1);
  });

  test("of an API is one for all clients (LIM-7)", () => {
    const requests = requestsTo();
    const one = api(algorithm, 1);
    expect(["alice", "bob"].map((name) => passes(requests, name, one))).toEqual([true, false]);
  });

  test("is back as it was when what was taken is given back", () => {
    const requests = requestsTo();
    const one = key(algorithm, 1);
    passes(requests, "alice", one);
    perform(requests.store, {
      op: "give_back",
      level: one,
      client: alice,
      atUs: atUs(0),
      units: 1,
    });
    expect([passes(requests, "alice", one), passes(requests, "alice", one)]).toEqual([true, false]);
  });

  test("gives nothing back to who was never there", () => {
    const requests = requestsTo();
    perform(requests.store, {
      op: "give_back",
      level: key(algorithm, 1),
      client: alice,
      atUs: atUs(0),
      units: 1,
    });
    expect(passes(requests, "alice", key(algorithm, 1))).toBe(true);
  });
});

describe("a refusal is written to the log that refused, and nowhere else (ALG-3)", () => {
  test.each<Algorithm>(["sliding_log", "bounded_log", "non_transactional", "sentinel"])(
    "%s",
    (algorithm) => {
      const requests = requestsTo();
      const levels = [api("sliding_log", 9), key(algorithm, 1)];
      requests.at(0, ...levels);
      for (let seconds = 1; seconds < 40; seconds++)
        expect(requests.at(seconds, ...levels)).toMatchObject({ refusedBy: 1, waitUs: 10_000_000 });
      expect(requests.at(49, ...levels)).toMatchObject({ refusedBy: -1 });
      expect(requests.store.tables.get("log/api/10000000us")).toMatchObject({
        stamps: { held: 1 },
      });
    },
  );

  test.each<Algorithm>(["fixed_window", "drl", "token_bucket", "gcra", "sliding_window_counter"])(
    "%s has no log: a refusal takes nothing (ALG-C3, ALG-C4)",
    (algorithm) => {
      const [calm, eager] = [requestsTo(), requestsTo()];
      for (const requests of [calm, eager]) requests.at(0, key(algorithm, 1));
      for (let i = 0; i < 50; i++) eager.at(1, key(algorithm, 1));
      expect(eager.at(19.9, key(algorithm, 1))).toEqual(calm.at(19.9, key(algorithm, 1)));
    },
  );
});

describe("the answer for several levels", () => {
  test("is the first refusal, with the longest wait of all (LIM-2, HDR-C1)", () => {
    const requests = requestsTo();
    const levels = [
      level("fixed_window", { rate: 1, per: 5, scope: "api" }),
      key("fixed_window", 1),
    ];
    requests.at(0, ...levels);
    expect(requests.at(1, ...levels)).toMatchObject({
      refusedBy: 0,
      waitUs: 9_000_000,
      shown: 0,
      resetUs: atUs(5), // that of the level that refused
    });
  });

  test("shows the tightest of those that admit (HDR-C2)", () => {
    const requests = requestsTo();
    expect(requests.at(0, api("fixed_window", 5), key("fixed_window", 3))).toMatchObject({
      shown: 1,
      limit: 3,
      remaining: 2,
    });
    expect(requests.at(0, api("fixed_window", 3), key("fixed_window", 9))).toMatchObject({
      shown: 0,
      remaining: 1,
    });
  });

  test("shows a rate with a quota that refuses, and what is left of both", () => {
    const requests = requestsTo();
    const levels = [key("fixed_window", 5), quota];
    expect(requests.at(0, ...levels)).toMatchObject({ shown: 0, remaining: 4, quotaLeft: 1 });
    requests.at(0, ...levels);
    expect(requests.at(0, ...levels)).toMatchObject({
      refusedBy: 1,
      shown: 0,
      remaining: 3,
      quotaLeft: 0,
      waitUs: 60_000_000,
    });
  });

  test("shows nothing where only a quota counts", () => {
    expect(requestsTo().at(0, quota)).toMatchObject({ shown: -1, limit: -1, quotaLeft: 1 });
  });

  test("is infinite where waiting does not help", () => {
    expect(requestsTo().at(0, key("sliding_log", 0))).toMatchObject({
      refusedBy: 0,
      waitUs: Number.POSITIVE_INFINITY,
    });
  });
});
