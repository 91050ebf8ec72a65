import { describe, expect, test } from "vitest";
import type { Limit } from "#src/limiter/core/limit.ts";
import { configurationOf, messages, problemsOf, withKey } from "./worlds.ts";

const limitOfAlice = (limit: object): Limit | null | undefined =>
  configurationOf(withKey(limit)).keys.get("alice")?.limit;

describe("rate and per become a limit", () => {
  test.each([
    ["seconds", { rate: 5, per: 2 }, 5, 2_000_000],
    ["a fraction of a second", { rate: 5, per: 0.5 }, 5, 500_000],
    ["LIM-C3: the shortest window", { rate: 5, per: 0.001 }, 5, 1_000],
    ["duration text", { rate: 5, per: "1m30s" }, 5, 90_000_000],
    ["a fractional rate above 1", { rate: 1.5, per: 1 }, 1.5, 1_000_000],
    ["LIM-C2: six decimals", { rate: 1.000_001, per: 1 }, 1.000_001, 1_000_000],
    ["LIM-C2: rate 0 admits nothing", { rate: 0, per: 1 }, 0, 1_000_000],
    ["minus nought is nought", { rate: -0, per: 1 }, 0, 1_000_000],
    ["LIM-C10: unlimited", { rate: -1, per: 60 }, -1, 60_000_000],
    ["LIM-C10: unlimited without per", { rate: -1 }, -1, 1_000_000],
    ["LIM-C10: unlimited with per 0", { rate: -1, per: 0 }, -1, 1_000_000],
    ["LIM-C10: unlimited with per -1", { rate: -1, per: -1 }, -1, 1_000_000],
  ])("%s", (_what, written, rate, perUs) => {
    expect(limitOfAlice(written)).toEqual({ rate, perUs, smoothing: null });
  });

  test.each([
    ["nothing", {}],
    ["LIM-10: both 0", { rate: 0, per: 0 }],
    ["rate 0 alone", { rate: 0 }],
    ["null is absent", { rate: null, per: null }],
  ])("%s is no limit", (_what, written) => {
    expect(limitOfAlice(written)).toBeNull();
  });
});

describe("LIM-C2, LIM-C3: an invalid limit is an error, once", () => {
  test.each([
    [{ rate: 5, per: 0 }, "CFG-RATE-WITHOUT-PER keys.alice.per"],
    [{ rate: 5, per: "0s" }, "CFG-RATE-WITHOUT-PER keys.alice.per"],
    [{ rate: 5, per: null }, "CFG-RATE-WITHOUT-PER keys.alice.rate"],
    [{ rate: null, per: 1 }, "CFG-PER-WITHOUT-RATE keys.alice.per"],
    [{ per: 0 }, "CFG-PER-WITHOUT-RATE keys.alice.per"],
    [{ rate: -0.5, per: 1 }, "CFG-RATE-RANGE keys.alice.rate"],
    [{ rate: Number.NaN, per: 1 }, "CFG-RATE-RANGE keys.alice.rate"],
    [{ rate: Number.POSITIVE_INFINITY, per: 1 }, "CFG-RATE-RANGE keys.alice.rate"],
    [{ rate: 1e10, per: 1 }, "CFG-RATE-RANGE keys.alice.rate"],
    [{ rate: "5", per: 1 }, "CFG-TYPE keys.alice.rate"],
    [{ rate: [5], per: 1 }, "CFG-TYPE keys.alice.rate"],
    [{ rate: 0.000_000_1, per: 1 }, "CFG-RATE-DECIMALS keys.alice.rate"],
    [{ rate: 0.999_999, per: 1 }, "CFG-RATE-FRACTION keys.alice.rate"],
    [{ rate: 0.5, per: 0 }, "CFG-RATE-WITHOUT-PER keys.alice.per"],
    [{ rate: 5, per: 0.000_999 }, "CFG-PER-RANGE keys.alice.per"],
    [{ rate: 5, per: -1 }, "CFG-PER-RANGE keys.alice.per"],
    [{ rate: 5, per: 4e9 }, "CFG-PER-RANGE keys.alice.per"],
    [{ rate: 5, per: 0.001_000_5 }, "CFG-DURATION keys.alice.per"],
    [{ rate: 5, per: Number.NaN }, "CFG-DURATION keys.alice.per"],
    [{ rate: 5, per: "5" }, "CFG-DURATION keys.alice.per"],
    [{ rate: 5, per: true }, "CFG-DURATION keys.alice.per"],
    [{ rate: -1, per: "soon" }, "CFG-DURATION keys.alice.per"],
  ])("%j", (written, problem) => {
    expect(problemsOf(withKey(written))).toEqual([problem]);
  });

  test("two errors of one limit are both reported", () => {
    expect(problemsOf(withKey({ rate: "5", per: "5" }))).toEqual([
      "CFG-TYPE keys.alice.rate",
      "CFG-DURATION keys.alice.per",
    ]);
  });
});

describe("LIM-C2: a rate below 1 gets the equal limit as a correction", () => {
  test.each([
    [0.5, 1, "rate: 1, per: 2"],
    [0.25, 2, "rate: 1, per: 8"],
    [0.3, 1, "rate: 3, per: 10"],
    [0.1, 0.5, "rate: 1, per: 5"],
    [0.5, 0.1, "rate: 1, per: 0.2"],
    [0.000_001, 1, "rate: 1, per: 1000000"],
    [0.999_999, 1, "rate: 999999, per: 1000000"],
    [0.4, 0.001, "rate: 2, per: 0.005"],
  ])("%d per %d s is %s", (rate, per, whole) => {
    expect(messages(withKey({ rate, per }))).toEqual([`rate ${rate} is below 1: write ${whole}`]);
  });
});

describe("LIM-8: allowance decides nothing", () => {
  test.each([
    [{ rate: 5, per: 1, allowance: 5 }, []],
    [{ rate: 5, per: 1, allowance: 0 }, ["CFG-ALLOWANCE-DIFFERS keys.alice.allowance"]],
    [{ rate: 5, per: 1 }, []],
    [{ allowance: 5 }, []],
    [{ rate: 5, per: 1, allowance: "5" }, ["CFG-TYPE keys.alice.allowance"]],
    [
      { access_rights: { orders: { limit: { rate: 5, per: 1, allowance: 4 } } } },
      ["CFG-ALLOWANCE-DIFFERS keys.alice.access_rights.orders.limit.allowance"],
    ],
  ])("%j: %j", (written, problems) => {
    expect(problemsOf(withKey(written))).toEqual(problems);
  });

  test("it never becomes a rate", () => {
    expect(limitOfAlice({ allowance: 5 })).toBeNull();
    expect(limitOfAlice({ rate: 5, per: 1, allowance: 9 })?.rate).toBe(5);
  });
});
