// Options of the gateway, with their defaults (ALG-C1 to ALG-C9, LIM-C1, LIM-C9, HDR-C2, EPT-C7).
import { ALGORITHMS, type Algorithm, type GatewayOptions } from "../config.ts";
import { hasAtMostSixDecimals } from "../limit.ts";
import { formatDuration, micros, MILLISECOND, SECOND } from "../units.ts";
import { member, noteAt, type Place } from "./place.ts";
import { booleanIn, numberThat, orElse, positiveDuration, wordIn } from "./values.ts";

export const DEFAULT_OPTIONS: GatewayOptions = {
  algorithm: null,
  enableFixedWindowRateLimiter: false,
  enableSentinelRateLimiter: false,
  enableNonTransactionalRateLimiter: false,
  drlThreshold: 0,
  drlExpiryUs: micros(4 * SECOND),
  drlNotificationFrequencyUs: micros(2 * SECOND),
  fixedWindowStart: "first_request",
  sentinelMark: "sliding",
  burst: 1,
  limitOrder: "api_first",
  storeTransaction: "script",
  storeTimeoutUs: micros(100 * MILLISECOND),
  onStoreError: "local",
  expectedGateways: null,
  throttleMaxWaiting: 1000,
  rateLimitHeaders: "legacy",
  normalizePath: true,
};

export function readOptions(place: Place): GatewayOptions {
  const base = DEFAULT_OPTIONS;
  const expected = numberThat(place, "expected_gateways", "a whole number of at least 1", isCount);
  const options: GatewayOptions = {
    algorithm: algorithmIn(place),
    enableFixedWindowRateLimiter: orElse(
      booleanIn(place, "enable_fixed_window_rate_limiter"),
      false,
    ),
    enableSentinelRateLimiter: orElse(booleanIn(place, "enable_sentinel_rate_limiter"), false),
    enableNonTransactionalRateLimiter: orElse(
      booleanIn(place, "enable_non_transactional_rate_limiter"),
      false,
    ),
    drlThreshold: orElse(
      numberThat(
        place,
        "drl_threshold",
        "at least 0 with at most 6 decimals",
        (value) => value >= 0 && hasAtMostSixDecimals(value),
      ),
      base.drlThreshold,
    ),
    drlExpiryUs: positiveDuration(place, "drl_expiry", base.drlExpiryUs),
    drlNotificationFrequencyUs: positiveDuration(
      place,
      "drl_notification_frequency",
      base.drlNotificationFrequencyUs,
    ),
    fixedWindowStart: wordIn(
      place,
      "fixed_window_start",
      ["first_request", "clock"],
      base.fixedWindowStart,
    ),
    sentinelMark: wordIn(place, "sentinel_mark", ["sliding", "fixed"], base.sentinelMark),
    burst: burstIn(place),
    limitOrder: wordIn(place, "limit_order", ["api_first", "key_first"], base.limitOrder),
    storeTransaction: wordIn(
      place,
      "store_transaction",
      ["script", "multi"],
      base.storeTransaction,
    ),
    storeTimeoutUs: positiveDuration(place, "store_timeout", base.storeTimeoutUs),
    onStoreError: wordIn(place, "on_store_error", ["local", "allow", "deny"], base.onStoreError),
    expectedGateways: typeof expected === "number" ? expected : null,
    throttleMaxWaiting: orElse(
      numberThat(
        place,
        "throttle_max_waiting",
        "a whole number of at least 0",
        (value) => Number.isSafeInteger(value) && value >= 0,
      ),
      base.throttleMaxWaiting,
    ),
    rateLimitHeaders: wordIn(
      place,
      "rate_limit_headers",
      ["legacy", "ietf", "both", "off"],
      base.rateLimitHeaders,
    ),
    normalizePath: orElse(booleanIn(place, "normalize_path"), base.normalizePath),
  };
  warnLosers(place, options);
  if (options.drlNotificationFrequencyUs >= options.drlExpiryUs) {
    const expiry = formatDuration(options.drlExpiryUs);
    noteAt(
      place,
      null,
      "CFG-DRL-EXPIRY",
      `a heartbeat every ${formatDuration(options.drlNotificationFrequencyUs)} expires after ${expiry}, so gateways come and go`,
    );
  }
  return options;
}

/** Hyphens are taken for underscores here and nowhere else. */
function algorithmIn(place: Place): Algorithm | null {
  const value = member(place, "algorithm");
  const algorithm = typeof value === "string" ? value.replaceAll("-", "_") : value;
  return wordIn({ ...place, raw: { algorithm } }, "algorithm", ALGORITHMS, null);
}

function burstIn(place: Place): number | "rate" {
  if (member(place, "burst") === "rate") return "rate";
  return orElse(numberThat(place, "burst", 'a whole number of at least 1, or "rate"', isCount), 1);
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 1;

/** ALG-C1: fixed window, sentinel, DRL by threshold, sliding log; `algorithm` overrides them all (ALG-C9). */
function warnLosers(place: Place, options: GatewayOptions): void {
  const on = [
    {
      flag: "enable_fixed_window_rate_limiter",
      algorithm: "fixed_window",
      set: options.enableFixedWindowRateLimiter,
    },
    {
      flag: "enable_sentinel_rate_limiter",
      algorithm: "sentinel",
      set: options.enableSentinelRateLimiter,
    },
    { flag: "drl_threshold", algorithm: "drl", set: options.drlThreshold > 0 },
    {
      flag: "enable_non_transactional_rate_limiter",
      algorithm: "non_transactional",
      set: options.enableNonTransactionalRateLimiter,
    },
  ].filter((option) => option.set);
  const winner = options.algorithm ?? on[0]?.algorithm;
  if (winner === undefined) return;
  // The threshold chooses between DRL and a store-based limiter, so the pipelined form loses nothing to it.
  const together = options.algorithm === null && winner === "drl";
  const losers = on
    .filter((option) => option.algorithm !== winner && !together)
    .map((option) => option.flag);
  if (losers.length === 0) return;
  const by = options.algorithm === null ? winner : `algorithm: ${winner}`;
  noteAt(
    place,
    null,
    "CFG-ALGORITHM-LOST",
    `${by} decides; without effect: ${losers.join(", ")}`,
    "keep one of them",
  );
}
