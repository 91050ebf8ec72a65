// The root fields that policies and keys share: quota, throttling and metadata.
import type { MetaData, Quota, Throttle } from "../core/config.ts";
import { META_REFERENCE } from "../core/resolve/identity.ts";
import { NEVER, SECOND, type Micros } from "../../kit/units.ts";
import { at, isObject, member, note, noteAt, show, type PlacedObject } from "./place.ts";
import { durationIn, LONGEST, numberThat } from "./values.ts";

const OFF = -1;

/** LIM-C9: -1 and 0 mean no quota. Only a policy retains -1, which is "unlimited" in a merge. */
export function readQuota(place: PlacedObject, unlimited: "kept" | "off"): Quota | null {
  const quotaMax = numberThat(place, "quota_max", "an integer of at least -1", isCountOrOff);
  const max = typeof quotaMax === "number" ? atMost(quotaMax) : quotaMax;
  const renewal = offOr(place, "quota_renewal_rate");
  if (typeof max !== "number" || max === 0) return null;
  if (max === OFF) return unlimited === "kept" ? { max, renewalUs: NEVER } : null;
  return { max, renewalUs: renewal ?? NEVER };
}

export function readThrottle(place: PlacedObject): Throttle | null {
  const intervalUs = offOr(place, "throttle_interval");
  const retryLimit = numberThat(
    place,
    "throttle_retry_limit",
    "an integer of at least -1",
    isCountOrOff,
  );
  if (intervalUs === null || typeof retryLimit !== "number" || retryLimit <= 0) return null;
  return { intervalUs, retryLimit: atMost(retryLimit) };
}

const isCountOrOff = (value: number): boolean => Number.isInteger(value) && value >= OFF;

/** At most the largest exact integer. No client sends more requests, so the effect of the count is the same (MGT-8). */
const atMost = (count: number): number => Math.min(count, Number.MAX_SAFE_INTEGER);

/** A duration; null if it is off (-1 or 0). A number of seconds above LONGEST becomes LONGEST (MGT-8). */
function offOr(place: PlacedObject, name: string): Micros | null {
  const raw = member(place, name);
  if (raw === OFF) return null;
  if (Number.isInteger(raw) && (raw as number) > LONGEST / SECOND) return LONGEST;
  const value = durationIn(place, name);
  if (typeof value !== "number" || value === 0) return null;
  if (value > 0 && value <= LONGEST) return value;
  noteAt(
    place,
    name,
    "CFG-VALUE",
    `${name} must be -1 or 0 (off), or above 0 and at most 100 years`,
  );
  return null;
}

export function readMetaData(place: PlacedObject): MetaData {
  const metaData = member(place, "meta_data");
  if (!isObject(metaData)) return {};
  const pattern = Object.hasOwn(metaData, "rate_limit_pattern")
    ? metaData["rate_limit_pattern"]
    : null;
  if (pattern !== null && pattern !== undefined) checkRateLimitPattern(place, pattern);
  return metaData;
}

function checkRateLimitPattern(place: PlacedObject, pattern: unknown): void {
  const path = [...at(place, "meta_data"), "rate_limit_pattern"];
  const fix = "write $gw_meta.NAME or plain text, joined by |";
  if (typeof pattern !== "string") {
    note(
      place.findings.problems,
      "CFG-RATE-LIMIT-PATTERN",
      path,
      `rate_limit_pattern must be a string; got ${show(pattern)}`,
      fix,
    );
    return;
  }
  const wrong = pattern.split("|").find((part) => part.includes("$") && !META_REFERENCE.test(part));
  if (wrong === undefined) return;
  const message = `part ${show(wrong)} of rate_limit_pattern is neither $gw_meta.NAME nor text without "$"`;
  note(place.findings.problems, "CFG-RATE-LIMIT-PATTERN", path, message, fix);
}
