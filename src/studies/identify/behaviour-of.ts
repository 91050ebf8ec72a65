// Derives the behaviour of a configuration on one gateway, and a configuration for a behaviour.
import type { Imitation } from "../../limiter/core/imitation.ts";
import { SECOND } from "../../kit/units.ts";
import { PROFILE_NAMES } from "../../limiter/spec/profiles.ts";
import {
  BEHAVIOURS,
  isComposed,
  isPaced,
  isSameBehaviour,
  type BehaviourName,
  type LimitBehaviour,
} from "./behaviour.ts";
import { readLimitOptions } from "./gateway-options.ts";
import {
  createJointModel,
  createLimitModel,
  createPausingModel,
  type LimitConfiguration,
  type LimitModel,
} from "./model.ts";

/**
 * The behaviour of a configuration. Behaviours that decide every request alike get the name of one of them; with a
 * capacity of 1, many are alike.
 */
export function behaviourOf(configuration: LimitConfiguration): LimitBehaviour {
  const { algorithm, rate, perUs, burst, queue, sentinelMark, imitation } = configuration;
  const capacity = Math.floor(rate);
  const window = (name: BehaviourName): LimitBehaviour => ({ name, capacity, spanUs: perUs });
  const bucket = (atOnce: number): LimitBehaviour => ({
    name: "bucket",
    capacity: atOnce,
    spanUs: perUs / rate,
  });
  switch (algorithm) {
    case "fixed_window":
      return windowOf(configuration);
    case "drl":
      return capacity === 1 ? bucket(1) : window("window");
    case "token_bucket":
      return bucketOf(bucket(capacity), imitation, perUs);
    case "gcra":
      return bucketOf(bucket(burst === "rate" ? capacity : burst), imitation, perUs);
    case "leaky_bucket": {
      const places = queue === "rate" ? capacity : queue;
      return places === 0 ? bucket(1) : { ...bucket(1 + places), name: "queue" };
    }
    case "sliding_window_counter":
      return twoWindowsOf(window("two_windows"), imitation);
    case "sliding_log":
    case "bounded_log":
      if (imitation?.blockUs != null) return window("blocked_log");
      if (imitation?.refused !== "free") return window("log");
      return capacity === 1 ? bucket(1) : window("free_log");
    case "non_transactional":
      return window("loose_log");
    case "sentinel":
      return window(sentinelMark === "fixed" ? "fixed_mark" : "loose_log");
  }
}

const isStepped = (imitation: Imitation | null): boolean =>
  (imitation?.clockResolutionUs ?? 0) >= SECOND;

function windowOf({
  rate,
  perUs,
  fixedWindowStart,
  imitation,
}: LimitConfiguration): LimitBehaviour {
  const capacity = Math.floor(rate) - ((imitation?.lastOfWindow ?? null) === null ? 0 : 1);
  const window = (name: BehaviourName, spanUs = perUs): LimitBehaviour => ({
    name,
    capacity,
    spanUs,
  });
  // Each attempt begins the window again, so with a capacity of 1 the limit is a log of every attempt.
  if (imitation?.refused === "extends") return window(capacity === 1 ? "log" : "extended_window");
  switch (imitation?.windowStart ?? fixedWindowStart) {
    case "clock":
      return window("clock_window");
    case "first_of_key":
    case "drifting": // by less than a millisecond
      return window("key_window");
    case "hash_of_key":
      return window(SECOND % perUs === 0 ? "clock_window" : "shifted_window");
    case "first_request": {
      if (!isStepped(imitation)) return window(capacity === 1 ? "bucket" : "window");
      // If a request whose age in whole seconds equals the window is still counted, the window ends a second later.
      return createSteppedWindow(
        capacity,
        perUs + (imitation?.windowEnd === "counted" ? SECOND : 0),
      );
    }
  }
}

/** With whole seconds, a window of 1 s is a `clock_window`, and one request per 2 s decides like `two_windows`. */
function createSteppedWindow(capacity: number, spanUs: number): LimitBehaviour {
  if (spanUs <= SECOND) return { name: "clock_window", capacity, spanUs };
  return capacity === 1 && spanUs === 2 * SECOND
    ? { name: "two_windows", capacity, spanUs: SECOND }
    : { name: "stepped_window", capacity, spanUs };
}

/** The behaviour of a bucket with the numbers of `bucket`. `perUs` is the window of its rate. */
function bucketOf(
  bucket: LimitBehaviour,
  imitation: Imitation | null,
  perUs: number,
): LimitBehaviour {
  const { capacity, spanUs } = bucket;
  if (isStepped(imitation)) return createSteppedBucket(bucket, imitation?.tokens === "whole");
  switch (imitation?.tokens ?? null) {
    case "whole":
      return capacity === 1 ? bucket : { ...bucket, name: "whole_bucket" };
    case "on_credit":
      return { name: "credit_bucket", capacity: countSavedUp(spanUs), spanUs };
    case "within_window":
      return capacity === 1 ? bucket : { name: "window_bucket", capacity, spanUs: perUs };
    case null:
      return bucket;
  }
}

/** How many requests are admitted at once: those saved up in a second, and one on credit. */
export const countSavedUp = (intervalUs: number): number =>
  1 + Math.floor(SECOND / intervalUs + 1e-9);

/** A bucket that is full each second is a window of the clock. If each second adds whole tokens, nothing is rounded. */
function createSteppedBucket(bucket: LimitBehaviour, isWhole: boolean): LimitBehaviour {
  const { capacity, spanUs } = bucket;
  if (capacity * spanUs <= SECOND * (1 + 1e-9))
    return { name: "clock_window", capacity, spanUs: SECOND };
  if (capacity === 1) return createSteppedWindow(1, Math.ceil(spanUs / SECOND - 1e-9) * SECOND);
  const each = SECOND / spanUs;
  const isExact = Math.abs(each - Math.round(each)) < 1e-6;
  return { ...bucket, name: isWhole && !isExact ? "stepped_whole_bucket" : "stepped_bucket" };
}

function twoWindowsOf(windows: LimitBehaviour, imitation: Imitation | null): LimitBehaviour {
  if (imitation === null) return windows;
  const { capacity, spanUs } = windows;
  if (imitation.windowStart === "first_request") {
    if (imitation.refused === "counted" || imitation.refused === "counted_by_all")
      return { ...windows, name: "counted_windows" };
    // With a capacity of 1, a request counts fully in its window and in the next one; then a new window begins.
    return capacity === 1
      ? { name: "bucket", capacity, spanUs: 2 * spanUs }
      : { ...windows, name: "request_windows" };
  }
  if (imitation.weights === null) return windows;
  // With a capacity of 1, the previous window weighs less than one request after the first microsecond of a window.
  // That weight is rounded down to 0, so only the current window decides.
  return { ...windows, name: capacity === 1 ? "clock_window" : "rounded_windows" };
}

/** A configuration with this behaviour. */
export function configurationOf({ name, capacity, spanUs }: LimitBehaviour): LimitConfiguration {
  const options = readLimitOptions(BEHAVIOURS[name].gateway);
  const limit = { ...options, rate: capacity, perUs: Math.round(spanUs) };
  if (name === "credit_bucket" || name === "queue") {
    // The window is about a second or longer, so that rounding it to microseconds hardly changes the interval.
    const rate = Math.max(1, Math.round(SECOND / spanUs));
    return { ...limit, rate, perUs: Math.round(spanUs * rate), queue: capacity - 1 };
  }
  return isPaced({ name }) ? { ...limit, perUs: Math.round(spanUs * capacity) } : limit;
}

/** A model of a limiter with this behaviour. */
export function modelOf({ second, pauseUs, ...first }: LimitBehaviour): LimitModel {
  const own = configurationOf(first);
  if (second !== undefined)
    return createJointModel([own, configurationOf({ name: first.name, ...second })]);
  return pauseUs === undefined ? createLimitModel(own) : createPausingModel(own, pauseUs);
}

/** The profiles that would behave like this with suitable numbers in their settings. */
export function profilesOf(behaviour: LimitBehaviour): readonly string[] {
  if (isComposed(behaviour)) return [];
  const { rate, perUs } = configurationOf(behaviour);
  const { capacity } = behaviour;
  // The profile of mod_qos admits one request less than its setting, in a window that is a second longer.
  const numbers = [
    { rate, perUs, burst: capacity },
    { rate: capacity + 1, perUs: perUs - SECOND, burst: capacity },
  ];
  return PROFILE_NAMES.filter((profile) => {
    const options = readLimitOptions(`profile: ${profile}`);
    // A profile with saved turns refuses nothing.
    if (options.imitation?.savedTurns != null) return false;
    return numbers.some(
      (each) =>
        each.perUs > 0 &&
        isSameBehaviour(
          behaviourOf({ ...options, ...each, queue: Math.max(0, capacity - 1) }),
          behaviour,
        ),
    );
  });
}
