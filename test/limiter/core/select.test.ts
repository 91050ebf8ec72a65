import { describe, expect, test } from "vitest";
import type { GatewayOptions } from "#src/limiter/core/config.ts";
import { limitOf, type Limit } from "#src/limiter/core/limit.ts";
import { DEFAULT_OPTIONS } from "#src/limiter/world/options.ts";
import { chooseAlgorithm, levelOf, shareOf } from "#src/limiter/core/select.ts";
import { micros } from "#src/kit/units.ts";

const choose = (options: Partial<GatewayOptions>, limit = limitOf(10, 1), gateways = 5): string =>
  chooseAlgorithm({ ...DEFAULT_OPTIONS, ...options }, limit, gateways);

const fixed = { enableFixedWindowRateLimiter: true };
const sentinel = { enableSentinelRateLimiter: true };
const pipelined = { enableNonTransactionalRateLimiter: true };

describe("which algorithm counts (ALG-1, ALG-2, ALG-C1, ALG-C9)", () => {
  test.each<[Partial<GatewayOptions>, string]>([
    [{}, "sliding_log"],
    [fixed, "fixed_window"],
    [sentinel, "sentinel"],
    [pipelined, "non_transactional"],
    [{ ...fixed, ...sentinel, ...pipelined, drlThreshold: 1 }, "fixed_window"],
    [{ ...sentinel, ...pipelined, drlThreshold: 1 }, "sentinel"],
    [{ ...pipelined, drlThreshold: 1 }, "drl"],
    [{ drlThreshold: 2 }, "sliding_log"], // 10 a second are not more than 2 on each of 5
    [{ ...pipelined, drlThreshold: 2 }, "non_transactional"],
    [{ drlThreshold: 1.999999 }, "drl"],
    [{ algorithm: "gcra", ...fixed, drlThreshold: 1 }, "gcra"],
    [{ algorithm: "sliding_log", drlThreshold: 1 }, "sliding_log"],
  ])("%j: %s", (options, algorithm) => {
    expect(choose(options)).toBe(algorithm);
  });
});

describe("the share of one gateway (ALG-C4)", () => {
  test.each([
    [10, 5, 2],
    [11, 5, 2],
    [4, 5, 1], // never nothing
    [0, 5, 0], // unless nothing is admitted at all
    [7.9, 2, 3],
    [1, 1, 1],
  ])("of %d on %d gateways is %d", (rate, gateways, share) => {
    expect(shareOf(rate, gateways)).toBe(share);
  });
});

describe("a level", () => {
  const smoothing = { threshold: 2, step: 1, trigger: 0.5, delayUs: micros(1) };
  const level = (
    options: Partial<GatewayOptions>,
    limit: Limit = limitOf(7.5, 1, smoothing),
    scope: "key" | "quota" = "key",
    gateways = 2,
  ) =>
    levelOf({ ...DEFAULT_OPTIONS, ...options }, { space: "", scope, limit, because: [] }, gateways);

  test.each<[Partial<GatewayOptions>, object]>([
    [{ algorithm: "fixed_window" }, { capacity: 7, place: "store", rule: null }],
    [{ algorithm: "drl" }, { capacity: 3, place: "gateway", rule: null }],
    [{ algorithm: "token_bucket" }, { burst: 7 }],
    [{ algorithm: "token_bucket", burst: 1 }, { burst: 7 }], // the tolerance is GCRA's alone
    [{ algorithm: "gcra" }, { burst: 1 }],
    [{ algorithm: "gcra", burst: 3 }, { burst: 3 }],
    [{ algorithm: "gcra", burst: 30 }, { burst: 30 }], // above the rate, too
    [{ algorithm: "gcra", burst: "rate" }, { burst: 7 }],
    [{ algorithm: "fixed_window", fixedWindowStart: "clock" }, { startsAtClock: true }],
    [{ algorithm: "drl", fixedWindowStart: "clock" }, { startsAtClock: false }], // ALG-C4
    [{ sentinelMark: "fixed" }, { fixedMark: true }],
  ])("with %j: %j", (options, expected) => {
    expect(level(options)).toMatchObject(expected);
  });

  test.each(["sliding_log", "non_transactional", "sentinel", "bounded_log"] as const)(
    "is smoothed by %s (SMO-C5)",
    (algorithm) => {
      expect(level({ algorithm }).rule).toMatchObject({ threshold: 2_000_000 });
    },
  );

  test("of a quota is a window in the store that its first request begins, whatever counts the rates (LIM-C9)", () => {
    const options = { algorithm: "drl", fixedWindowStart: "clock" } as const;
    expect(level(options, limitOf(9, 60), "quota")).toMatchObject({
      algorithm: "fixed_window",
      capacity: 9,
      place: "store",
      startsAtClock: false,
    });
  });
});

test.each([
  ["first_request", "key", false],
  ["clock", "key", true],
  ["clock", "quota", false],
] as const)(
  "with %s a window of a %s starts by the clock: %s (ALG-C3)",
  (start, scope, expected) => {
    const limit = limitOf(5, 1);
    const budget = { space: "", scope, limit, because: [] };
    const options = {
      ...DEFAULT_OPTIONS,
      algorithm: "fixed_window",
      fixedWindowStart: start,
    } as const;
    expect(levelOf(options, budget, 1).startsAtClock).toBe(expected);
  },
);
