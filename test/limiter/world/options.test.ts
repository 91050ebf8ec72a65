import { describe, expect, test } from "vitest";
import { ALGORITHMS } from "#src/limiter/core/algorithms.ts";
import type { GatewayOptions } from "#src/limiter/core/config.ts";
import { DEFAULT_OPTIONS } from "#src/limiter/world/options.ts";
import { configurationOf, messages, problemsOf } from "./worlds.ts";

const options = (gateway: unknown): GatewayOptions => configurationOf({ gateway }).options;

describe("options have the defaults of the requirements", () => {
  test.each([
    [{}],
    [null],
    [{ algorithm: null, drl_threshold: null, burst: null, expected_gateways: null }],
  ])("%j", (gateway) => {
    expect(options(gateway)).toEqual(DEFAULT_OPTIONS);
  });

  test("ALG-C4, ALG-C8: 4 s, 2 s and 100 ms; nothing is switched on", () => {
    expect(DEFAULT_OPTIONS).toEqual({
      algorithm: null,
      costHeader: null,
      imitation: null,
      enableFixedWindowRateLimiter: false,
      enableSentinelRateLimiter: false,
      enableNonTransactionalRateLimiter: false,
      drlThreshold: 0,
      drlExpiryUs: 4_000_000,
      drlNotificationFrequencyUs: 2_000_000,
      fixedWindowStart: "first_request",
      sentinelMark: "sliding",
      burst: 1,
      queue: "rate",
      limitOrder: "api_first",
      policyBudgets: "merged",
      storeTransaction: "script",
      storeTimeoutUs: 100_000,
      onStoreError: "local",
      expectedGateways: null,
      throttleMaxWaiting: 1000,
      rateLimitHeaders: "legacy",
      normalizePath: true,
      endpointMatching: {
        letterCase: "exact",
        trailingSlash: "exact",
        pathParameters: "exact",
        head: "exact",
      },
      keyBy: "credential",
      ipv6Prefix: 64,
    });
  });
});

test.each([
  [{ enable_fixed_window_rate_limiter: true }, { enableFixedWindowRateLimiter: true }],
  [{ enable_sentinel_rate_limiter: true }, { enableSentinelRateLimiter: true }],
  [{ enable_non_transactional_rate_limiter: true }, { enableNonTransactionalRateLimiter: true }],
  [{ drl_threshold: 2.5 }, { drlThreshold: 2.5 }],
  [{ drl_expiry: "6s" }, { drlExpiryUs: 6_000_000 }],
  [{ drl_notification_frequency: 0.5 }, { drlNotificationFrequencyUs: 500_000 }],
  [{ fixed_window_start: "clock" }, { fixedWindowStart: "clock" }],
  [{ sentinel_mark: "fixed" }, { sentinelMark: "fixed" }],
  [{ burst: 7 }, { burst: 7 }],
  [{ burst: "rate" }, { burst: "rate" }],
  [{ limit_order: "key_first" }, { limitOrder: "key_first" }],
  [{ policy_budgets: "apart" }, { policyBudgets: "apart" }],
  [{ store_transaction: "multi" }, { storeTransaction: "multi" }],
  [{ store_timeout: "250ms" }, { storeTimeoutUs: 250_000 }],
  [{ on_store_error: "deny" }, { onStoreError: "deny" }],
  [{ expected_gateways: 5 }, { expectedGateways: 5 }],
  [{ throttle_max_waiting: 0 }, { throttleMaxWaiting: 0 }],
  [{ rate_limit_headers: "off" }, { rateLimitHeaders: "off" }],
  [{ normalize_path: false }, { normalizePath: false }],
  [
    { endpoint_matching: { letter_case: "same", head: null } },
    { endpointMatching: { ...DEFAULT_OPTIONS.endpointMatching, letterCase: "same" } },
  ],
  [
    { endpoint_matching: { trailing_slash: "same", path_parameters: "same", head: "exact" } },
    {
      endpointMatching: {
        ...DEFAULT_OPTIONS.endpointMatching,
        trailingSlash: "same",
        pathParameters: "same",
      },
    },
  ],
  [
    { endpoint_matching: { head: "same" } },
    { endpointMatching: { ...DEFAULT_OPTIONS.endpointMatching, head: "same" } },
  ],
  [{ key_by: "ip" }, { keyBy: "ip" }],
  [{ key_by: "credential" }, {}],
  [{ key_by: { header: "X-Client-ID" } }, { keyBy: { header: "x-client-id" } }],
  [{ ipv6_prefix: 128 }, { ipv6Prefix: 128 }],
] as const)("%j changes that option and no other", (gateway, changed) => {
  expect(options(gateway)).toEqual({ ...DEFAULT_OPTIONS, ...changed });
});

test.each([...ALGORITHMS])("algorithm %s is known, with hyphens too", (algorithm) => {
  expect(options({ algorithm }).algorithm).toBe(algorithm);
  expect(options({ algorithm: algorithm.replaceAll("_", "-") }).algorithm).toBe(algorithm);
});

describe("an invalid option is an error", () => {
  test.each([
    [{ algorithm: "fixed" }, "CFG-VALUE gateway.algorithm"],
    [{ algorithm: 3 }, "CFG-VALUE gateway.algorithm"],
    [{ "drl-threshold": 3 }, "CFG-UNKNOWN-FIELD gateway.drl-threshold"],
    [{ drl_threshold: -1 }, "CFG-VALUE gateway.drl_threshold"],
    [{ drl_threshold: "2" }, "CFG-TYPE gateway.drl_threshold"],
    [{ drl_expiry: 0 }, "CFG-VALUE gateway.drl_expiry"],
    [{ drl_expiry: "soon" }, "CFG-DURATION gateway.drl_expiry"],
    [{ store_timeout: -1 }, "CFG-VALUE gateway.store_timeout"],
    [{ enable_sentinel_rate_limiter: "yes" }, "CFG-TYPE gateway.enable_sentinel_rate_limiter"],
    [{ fixed_window_start: "noon" }, "CFG-VALUE gateway.fixed_window_start"],
    [{ burst: 0 }, "CFG-VALUE gateway.burst"],
    [{ burst: "all" }, "CFG-TYPE gateway.burst"],
    [{ expected_gateways: 0 }, "CFG-VALUE gateway.expected_gateways"],
    [{ expected_gateways: 1.5 }, "CFG-VALUE gateway.expected_gateways"],
    [{ throttle_max_waiting: -1 }, "CFG-VALUE gateway.throttle_max_waiting"],
    [{ normalize_path: 1 }, "CFG-TYPE gateway.normalize_path"],
    [{ endpoint_matching: "same" }, "CFG-TYPE gateway.endpoint_matching"],
    [{ endpoint_matching: { head: true } }, "CFG-VALUE gateway.endpoint_matching.head"],
    [{ endpoint_matching: { case: "same" } }, "CFG-UNKNOWN-FIELD gateway.endpoint_matching.case"],
    [{ key_by: "address" }, "CFG-VALUE gateway.key_by"],
    [{ key_by: {} }, "CFG-REQUIRED gateway.key_by"],
    [{ key_by: { header: "" } }, "CFG-REQUIRED gateway.key_by"],
    [{ key_by: { header: 3 } }, "CFG-TYPE gateway.key_by.header"],
    [{ key_by: { header: "x client" } }, "CFG-VALUE gateway.key_by.header"],
    [{ key_by: { header: "Authorization" } }, "CFG-VALUE gateway.key_by.header"],
    [{ ipv6_prefix: 0 }, "CFG-VALUE gateway.ipv6_prefix"],
    [{ ipv6_prefix: 129 }, "CFG-VALUE gateway.ipv6_prefix"],
    [{ ipv6_prefix: 64.5 }, "CFG-VALUE gateway.ipv6_prefix"],
    [[], "CFG-TYPE gateway"],
  ])("%j", (gateway, problem) => {
    expect(problemsOf({ gateway })).toEqual([problem]);
  });

  test("a near miss gets a suggestion", () => {
    expect(messages({ gateway: { algorithm: "fixed-windw" } })[0]).toContain(
      'did you mean "fixed_window"?',
    );
    expect(messages({ gateway: { enable_sentinel_rate_limit: true } })[0]).toContain(
      'did you mean "enable_sentinel_rate_limiter"?',
    );
  });
});

describe("ALG-C1: the warning names the options that lost", () => {
  const fixed = { enable_fixed_window_rate_limiter: true };
  const sentinel = { enable_sentinel_rate_limiter: true };
  const drl = { drl_threshold: 2 };
  const pipelined = { enable_non_transactional_rate_limiter: true };
  const names = { ...fixed, ...sentinel, ...drl, ...pipelined };
  const withoutEffect = (...losers: readonly object[]): string =>
    losers.flatMap((flags) => Object.keys(flags)).join(", ");

  test.each([
    [fixed, null],
    [{ ...drl, ...pipelined }, null], // below the threshold the pipelined log is in charge
    [{ ...fixed, ...sentinel }, `fixed_window decides; without effect: ${withoutEffect(sentinel)}`],
    [names, `fixed_window decides; without effect: ${withoutEffect(sentinel, drl, pipelined)}`],
    [{ ...sentinel, ...drl }, `sentinel decides; without effect: ${withoutEffect(drl)}`],
    [
      { ...sentinel, ...pipelined },
      `sentinel decides; without effect: ${withoutEffect(pipelined)}`,
    ],
    [{ algorithm: "sentinel", ...sentinel }, null],
    [{ algorithm: "drl", ...drl }, `algorithm: drl decides; without effect: ${withoutEffect(drl)}`],
    [
      { algorithm: "gcra", ...names },
      `algorithm: gcra decides; without effect: ${withoutEffect(fixed, sentinel, drl, pipelined)}`,
    ],
  ])("%j: %s", (gateway, message) => {
    expect(messages({ gateway }).map((text) => text.replace(": keep one of them", ""))).toEqual(
      message === null ? [] : [message],
    );
  });
});
