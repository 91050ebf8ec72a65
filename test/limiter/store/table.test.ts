import { describe, expect, test } from "vitest";
import { client } from "#src/limiter/core/client.ts";
import { ALGORITHMS, TRAITS, type Algorithm } from "#src/limiter/core/algorithms.ts";
import type { Level } from "#src/limiter/core/store.ts";
import { newRing, newTable, open } from "#src/limiter/store/table.ts";
import { requestsTo, level, smoothing, type StoreRequests } from "./budgets.ts";

/** How many budgets of that level are still held for alice. */
const isHeld = ({ store }: StoreRequests, name: string): boolean =>
  [...store.tables.values()].some(({ rows }) => rows.byIdentity.has(name));

/** Enough of other requests at `seconds` that the hand goes all the way round. */
function pass(requests: StoreRequests, seconds: number, one: Level): void {
  for (let i = 0; i < 100; i++) requests.as(client("bob"), seconds, "spend", one);
}

describe("a budget without effect is dropped", () => {
  // A second later, for gateways whose clocks are behind.
  test.each<[Algorithm, number]>([
    ["fixed_window", 11],
    ["drl", 11],
    ["token_bucket", 11],
    ["gcra", 11],
    ["sliding_window_counter", 21],
    ["sliding_log", 11],
    ["non_transactional", 11],
    ["bounded_log", 11],
    ["sentinel", 11],
  ])("%s: after %d s, and not before", (algorithm, seconds) => {
    const one = level(algorithm, { rate: 2, per: 10 });
    const requests = requestsTo();
    requests.at(0, one);
    pass(requests, seconds - 0.001, one);
    expect(isHeld(requests, "alice")).toBe(true);
    pass(requests, seconds, one);
    expect(isHeld(requests, "alice")).toBe(false);
  });

  test("a log lives as long as its newest attempt", () => {
    const one = level("sliding_log", { rate: 2, per: 10 });
    const requests = requestsTo();
    requests.at(0, one);
    requests.at(9, one);
    pass(requests, 19.9, one);
    expect(isHeld(requests, "alice")).toBe(true);
    pass(requests, 20, one);
    expect(isHeld(requests, "alice")).toBe(false);
  });

  test("a quota that never renews is never dropped (LIM-C9)", () => {
    const quota = { ...level("fixed_window", { rate: 2, per: 1, scope: "quota" }) };
    const forever = {
      ...quota,
      budget: { ...quota.budget, limit: { ...quota.budget.limit, perUs: Infinity as never } },
    };
    const requests = requestsTo();
    requests.at(0, forever);
    pass(requests, 1e8, forever);
    expect(isHeld(requests, "alice")).toBe(true);
  });

  test("a smoothed one not before its record counts as absent (SMO-C6)", () => {
    const one = level("sliding_log", { rate: 4, per: 1, smoothing: smoothing(2, 1, 0.5, 10) });
    const requests = requestsTo();
    requests.at(0, one);
    pass(requests, 20.9, one);
    expect(isHeld(requests, "alice")).toBe(true);
    pass(requests, 21, one);
    expect(isHeld(requests, "alice")).toBe(false);
  });
});

describe("a row", () => {
  test("that was dropped is as new for the next one", () => {
    for (const algorithm of ALGORITHMS) {
      const one = level(algorithm, { rate: 2, per: 10, options: { burst: "rate", queue: 1 } });
      const requests = requestsTo();
      for (let i = 0; i < 3; i++) requests.at(0, one);
      pass(requests, 40, one);
      expect(isHeld(requests, "alice")).toBe(false);
      expect(requests.as(client("carol"), 40, "spend", one)).toMatchObject({
        refusedBy: -1,
        remaining: 1,
      });
    }
  });

  test("is found whatever its client remembers of other tables", () => {
    const [one, other] = [
      newTable(TRAITS.token_bucket.state, 1000, newRing()),
      newTable(TRAITS.gcra.state, 1000, newRing()),
    ];
    const [alice, bob] = [client("alice"), client("bob")];
    const rows = [open(one, alice, 0), open(one, bob, 0)];
    expect(rows).toEqual([0, 1]);
    expect([open(other, bob, 0), open(other, alice, 0)]).toEqual([0, 1]);
    expect([open(one, alice, 0), open(one, bob, 0)]).toEqual(rows);
    expect([open(other, bob, 0), open(one, bob, 0), open(one, client("bob"), 0)]).toEqual([
      0, 1, 1,
    ]);
  });

  test("moves with its table when that grows", () => {
    const one = level("fixed_window", { rate: 1, per: 10 });
    const requests = requestsTo();
    const clients = Array.from({ length: 5_000 }, (_, i) => client(`client ${i}`));
    for (const each of clients) requests.as(each, 0, "spend", one);
    const passed = clients.filter((each) => requests.as(each, 1, "spend", one).refusedBy < 0);
    expect(passed).toEqual([]);
  });
});
