// Reads gateway options, with their defaults (ALG-C1 to ALG-C10, LIM-C1, LIM-C9, LIM-C17, HDR-C2, EPT-C7).
import { ALGORITHMS, type Algorithm } from "../core/algorithms.ts";
import type { EndpointMatching, GatewayOptions } from "../core/config.ts";
import { hasAtMostSixDecimals } from "../core/limit.ts";
import { formatDuration, micros, MILLISECOND, SECOND } from "../../kit/units.ts";
import { EXACT_MATCHING } from "../core/resolve/endpoint.ts";
import { imitationIn, resolveProfile } from "./imitation.ts";
import { costHeaderIn, keyByIn } from "./key-by.ts";
import { ENDPOINT_MATCHING } from "./members.ts";
import { member, noteAt, openMember, strictFindings, type PlacedObject } from "./place.ts";
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
  queue: "rate",
  limitOrder: "api_first",
  policyBudgets: "merged",
  storeTransaction: "script",
  storeTimeoutUs: micros(100 * MILLISECOND),
  onStoreError: "local",
  expectedGateways: null,
  throttleMaxWaiting: 1000,
  rateLimitHeaders: "legacy",
  ...EXACT_MATCHING,
  keyBy: "credential",
  ipv6Prefix: 64,
  costHeader: null,
  imitation: null,
};

/** Options that code writes, and not a user: they have no problems. */
export const optionsFrom = (raw: Readonly<Record<string, unknown>>): GatewayOptions =>
  readOptions({ raw, path: [], findings: strictFindings([], []) });

export function readOptions(written: PlacedObject): GatewayOptions {
  const place = resolveProfile(written);
  const base = DEFAULT_OPTIONS;
  const flag = (name: string): boolean => orElse(booleanIn(place, name), false);
  const expected = numberThat(place, "expected_gateways", "an integer of at least 1", isCount);
  const threshold = numberThat(place, "drl_threshold", THRESHOLD_WORDS, isThreshold);
  const waiting = numberThat(
    place,
    "throttle_max_waiting",
    "an integer of at least 0",
    isCountOrNone,
  );
  const headers = ["legacy", "ietf", "both", "off"] as const;
  const frequencyUs = base.drlNotificationFrequencyUs;
  const algorithm = algorithmIn(place);
  const options: GatewayOptions = {
    algorithm,
    enableFixedWindowRateLimiter: flag("enable_fixed_window_rate_limiter"),
    enableSentinelRateLimiter: flag("enable_sentinel_rate_limiter"),
    enableNonTransactionalRateLimiter: flag("enable_non_transactional_rate_limiter"),
    drlThreshold: orElse(threshold, base.drlThreshold),
    drlExpiryUs: positiveDuration(place, "drl_expiry", base.drlExpiryUs),
    drlNotificationFrequencyUs: positiveDuration(place, "drl_notification_frequency", frequencyUs),
    fixedWindowStart: wordIn(
      place,
      "fixed_window_start",
      ["first_request", "clock"],
      base.fixedWindowStart,
    ),
    sentinelMark: wordIn(place, "sentinel_mark", ["sliding", "fixed"], base.sentinelMark),
    burst: burstIn(place),
    queue: queueIn(place),
    limitOrder: wordIn(place, "limit_order", ["api_first", "key_first"], base.limitOrder),
    policyBudgets: wordIn(place, "policy_budgets", ["merged", "apart"], base.policyBudgets),
    storeTransaction: wordIn(
      place,
      "store_transaction",
      ["script", "multi"],
      base.storeTransaction,
    ),
    storeTimeoutUs: positiveDuration(place, "store_timeout", base.storeTimeoutUs),
    onStoreError: wordIn(place, "on_store_error", ["local", "allow", "deny"], base.onStoreError),
    expectedGateways: typeof expected === "number" ? expected : null,
    throttleMaxWaiting: orElse(waiting, base.throttleMaxWaiting),
    rateLimitHeaders: wordIn(place, "rate_limit_headers", headers, base.rateLimitHeaders),
    normalizePath: orElse(booleanIn(place, "normalize_path"), base.normalizePath),
    endpointMatching: endpointMatchingIn(place),
    keyBy: keyByIn([place]).keyBy ?? base.keyBy,
    ipv6Prefix: orElse(
      numberThat(place, "ipv6_prefix", "an integer from 1 to 128", isPrefix),
      base.ipv6Prefix,
    ),
    costHeader: costHeaderIn(place),
    imitation: imitationIn(place, algorithm),
  };
  warnLosers(place, options);
  warnFlapping(place, options);
  return options;
}

/** The name of an algorithm may have hyphens instead of underscores; values of other options may not. */
function algorithmIn(place: PlacedObject): Algorithm | null {
  const value = member(place, "algorithm");
  const algorithm = typeof value === "string" ? value.replaceAll("-", "_") : value;
  return wordIn({ ...place, raw: { algorithm } }, "algorithm", ALGORITHMS, null);
}

function burstIn(place: PlacedObject): number | "rate" {
  if (member(place, "burst") === "rate") return "rate";
  return orElse(numberThat(place, "burst", 'an integer of at least 1, or "rate"', isCount), 1);
}

function queueIn(place: PlacedObject): number | "rate" {
  if (member(place, "queue") === "rate") return "rate";
  const queue = numberThat(place, "queue", 'an integer of at least 0, or "rate"', isCountOrNone);
  return typeof queue === "number" ? queue : "rate";
}

function endpointMatchingIn(place: PlacedObject): EndpointMatching {
  const inside = openMember(place, "endpoint_matching", ENDPOINT_MATCHING);
  if (inside === null) return EXACT_MATCHING.endpointMatching;
  const aspect = (name: string): "exact" | "same" =>
    wordIn(inside, name, ["exact", "same"], "exact");
  return {
    letterCase: aspect("letter_case"),
    trailingSlash: aspect("trailing_slash"),
    pathParameters: aspect("path_parameters"),
    head: aspect("head"),
  };
}

const isPrefix = (value: number): boolean => isCount(value) && value <= 128;
const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 1;
const isCountOrNone = (value: number): boolean => value === 0 || isCount(value);
const THRESHOLD_WORDS = "a number of at least 0 with at most 6 decimals";
const isThreshold = (value: number): boolean => value >= 0 && hasAtMostSixDecimals(value);

const BY_THRESHOLD = "drl by drl_threshold";

/** Warns about options without effect: `algorithm` overrides them, or an earlier one in the order of ALG-C1 decides. */
function warnLosers(place: PlacedObject, options: GatewayOptions): void {
  const all: readonly (readonly [isOn: boolean, flag: string, algorithm: string])[] = [
    [options.enableFixedWindowRateLimiter, "enable_fixed_window_rate_limiter", "fixed_window"],
    [options.enableSentinelRateLimiter, "enable_sentinel_rate_limiter", "sentinel"],
    [options.drlThreshold > 0, "drl_threshold", BY_THRESHOLD],
    [
      options.enableNonTransactionalRateLimiter,
      "enable_non_transactional_rate_limiter",
      "non_transactional",
    ],
  ];
  const on = all.filter(([isOn]) => isOn);
  const winner = options.algorithm ?? on[0]?.[2];
  // The threshold chooses between DRL and a limiter in the store, so the non-transactional log can still have effect.
  if (winner === undefined || winner === BY_THRESHOLD) return;
  const losers = on.flatMap(([, flag, algorithm]) => (algorithm === winner ? [] : [flag]));
  if (losers.length === 0) return;
  const by = options.algorithm === null ? winner : `algorithm: ${winner}`;
  const message = `${by} decides; without effect: ${losers.join(", ")}`;
  noteAt(place, null, "CFG-ALGORITHM-OVERRIDDEN", message, "keep one of them");
}

/** ALG-C4: warns if a heartbeat expires before the next one is sent. */
function warnFlapping(place: PlacedObject, options: GatewayOptions): void {
  const { drlNotificationFrequencyUs: everyUs, drlExpiryUs } = options;
  if (everyUs < drlExpiryUs) return;
  const message = `heartbeats come every ${formatDuration(everyUs)} and expire after ${formatDuration(drlExpiryUs)}, so gateways come and go`;
  noteAt(
    place,
    null,
    "CFG-DRL-EXPIRY",
    message,
    "raise drl_expiry above drl_notification_frequency",
  );
}
