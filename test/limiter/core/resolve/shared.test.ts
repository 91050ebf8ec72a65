import { describe, expect, test } from "vitest";
import { met, resolverOf } from "../limiters.ts";

const SMOOTHED = { enabled: true, threshold: 2, step: 1, trigger: 1, delay: 1 };

/** Null: not smoothed. */
const key = (smoothing: object | null, more: object = {}) => ({
  rate: 5,
  per: 1,
  apis: ["orders"],
  ...(smoothing === null ? {} : { smoothing: { ...SMOOTHED, ...smoothing } }),
  ...more,
});

function spaces(alice: object, bob: object, gateway: object = {}) {
  const found = resolverOf({
    apis: { orders: { listen: "/orders" } },
    keys: { alice, bob },
    gateway,
  });
  return ["alice", "bob"].map((name) => met({ resolver: found }, name).resolved.key!.space);
}

describe("whose smoothing differs has another budget, if others may share it (LIM-C8)", () => {
  const CASES: readonly [string, object | null, object | null, boolean][] = [
    ["neither is smoothed", null, null, true],
    ["both are smoothed alike", {}, {}, true],
    ["one alone is smoothed", {}, null, false],
    ["their thresholds differ", {}, { threshold: 3 }, false],
    ["their steps differ", {}, { step: 2 }, false],
    ["their triggers differ", {}, { trigger: 0.5 }, false],
    ["their delays differ", {}, { delay: 2 }, false],
  ];

  test.each(CASES)("keys of one pattern where %s", (_, one, other, same) => {
    const pattern = { meta_data: { rate_limit_pattern: "north" } };
    const [alice, bob] = spaces(key(one, pattern), key(other, pattern));
    expect(alice === bob).toBe(same);
  });

  test.each(CASES)("keys counted by the address where %s (LIM-C17)", (_, one, other, same) => {
    const [alice, bob] = spaces(key(one), key(other), { key_by: "ip" });
    expect(alice === bob).toBe(same);
  });

  test("a key that shares with no other keeps its budget when its smoothing changes (MGT-C5)", () => {
    const [alice, bob] = spaces(key({}), key({ delay: 2 }));
    expect(alice).toBe(bob);
    expect(spaces(key(null), key({}))[0]).toBe(alice);
  });
});

describe("the because of a budget names the source of its identity (LIM-11)", () => {
  const quota = { quota_max: 9, quota_renewal_rate: 60 };
  const because = (alice: object, api: object = {}) => {
    const found = resolverOf({
      apis: { orders: { listen: "/orders", ...api } },
      keys: { alice: key(null, alice) },
    });
    const { key: rate, quota: count } = met({ resolver: found }, "alice").resolved;
    return [rate!.because.slice(1), count?.because.slice(1) ?? []];
  };
  const pattern = { meta_data: { rate_limit_pattern: "$gw_meta.team", team: "red" } };
  const broken = { meta_data: { rate_limit_pattern: "$gw_meta.team" } };

  test.each([
    ["a key alone", quota, {}, [[], []]],
    ["a pattern", { ...quota, ...pattern }, {}, [["LIM-11"], ["LIM-11"]]],
    ["a pattern without its value", { ...quota, ...broken }, {}, [[], []]],
    ["the address", quota, { key_by: "ip" }, [["LIM-C17"], []]],
    ["a pattern, which wins over the address", pattern, { key_by: "ip" }, [["LIM-11"], []]],
  ])("%s", (_, alice, api, ids) => {
    expect(because(alice, api)).toEqual(ids);
  });
});
