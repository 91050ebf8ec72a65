// Reads rate, per and smoothing of one limit, in any record (LIM-C2, LIM-C3, LIM-C10).
import type { GatewayOptions } from "../core/config.ts";
import {
  hasAtMostSixDecimals,
  isAbsent,
  isUnlimited,
  MILLIONTHS,
  millionths,
  UNLIMITED_RATE,
  type Limit,
} from "../core/limit.ts";
import { micros, MILLISECOND, parseOasDuration, SECOND, type Micros } from "../../kit/units.ts";
import { has, isObject, member, noteAt, show, type PlacedObject } from "./place.ts";
import { readSmoothing, refuseSmoothing, warnIgnored } from "./smoothing.ts";
import { booleanIn, durationIn, LONGEST, numberIn, type FieldReading } from "./values.ts";

interface LimitRules {
  /** The options that choose the algorithm for smoothing; null if the limit cannot be smoothed (SMO-C7). */
  readonly smoothing: GatewayOptions | null;
  /** An OAS rateLimit takes duration text only (EPT-C4). */
  readonly per: "world" | "oas";
}

/** The limit; null if it is absent (LIM-10, LIM-C10), or invalid, which is reported. */
export function readLimit(place: PlacedObject, rules: LimitRules): Limit | null {
  const rate = rateIn(place);
  const per = rules.per === "oas" ? oasPerIn(place) : durationIn(place, "per");
  const bare = markShadow(place, combine(place, rate, per, rules.per));
  if (rules.smoothing === null) {
    refuseSmoothing(place);
    return bare;
  }
  const smoothing = readSmoothing(place, bare, rate === "faulty" || per === "faulty");
  if (bare === null || smoothing === null) return bare;
  const limit: Limit = { ...bare, smoothing };
  warnIgnored(place, limit, rules.smoothing);
  return limit;
}

/** LIM-C13: a shadow limit is never enforced, so it is not smoothed: its allowance would follow unlimited traffic. */
function markShadow(place: PlacedObject, limit: Limit | null): Limit | null {
  if (booleanIn(place, "shadow") !== true) return limit;
  if (limit === null || isUnlimited(limit)) {
    const message = "shadow is true, but there is no limit to evaluate";
    noteAt(
      place,
      "shadow",
      "CFG-SHADOW-NO-LIMIT",
      message,
      "add rate and per, or take shadow away",
    );
  }
  const smoothing = member(place, "smoothing");
  if (isObject(smoothing) && smoothing["enabled"] === true) {
    const message = "a shadow limit cannot be smoothed";
    noteAt(place, "shadow", "CFG-SHADOW-SMOOTHED", message, "take smoothing or shadow away");
  }
  return limit === null ? null : { ...limit, shadow: true };
}

/** The largest rate whose millionths are exact. */
const MOST = Math.floor(Number.MAX_SAFE_INTEGER / MILLIONTHS);

function rateIn(place: PlacedObject): FieldReading<number> {
  if (!has(place, "rate")) return "absent";
  const rate = member(place, "rate");
  if (typeof rate !== "number") {
    noteAt(place, "rate", "CFG-TYPE", `rate must be a number; got ${show(rate)}`, asNumbers(rate));
    return "faulty";
  }
  if (rate === UNLIMITED_RATE) return rate;
  if (!(rate >= 0 && rate <= MOST)) {
    const message = `rate must be between 0 and ${MOST}, or -1 for unlimited; got ${rate}`;
    noteAt(place, "rate", "CFG-RATE-RANGE", message);
    return "faulty";
  }
  if (!hasAtMostSixDecimals(rate)) {
    noteAt(place, "rate", "CFG-RATE-DECIMALS", `rate must have at most 6 decimals; got ${rate}`);
    return "faulty";
  }
  return rate + 0;
}

/** Writes "5/s" or "100 per 2 minutes" as fields with the same meaning. */
function asNumbers(written: unknown): string {
  const parts = typeof written === "string" ? RATE_TEXT.exec(written.trim()) : null;
  if (parts === null) return "";
  const [, rate = "", times = "1", unit = ""] = parts;
  if (unit === "") return `write rate: ${rate}`;
  const short = unit.toLowerCase() === "ms" ? "ms" : unit[0]!.toLowerCase();
  const seconds = Number(times) * SECONDS_OF[short]!;
  return `write rate: ${rate}, per: ${seconds}`;
}

const SECONDS_OF: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 };
const RATE_TEXT =
  /^(\d{1,15}(?:\.\d{1,6})?)(?:\s*(?:\/|per)\s*(\d{1,6})?\s*(ms|s(?:ec(?:ond)?s?)?|m(?:in(?:ute)?s?)?|h(?:ours?|r)?|d(?:ays?)?))?$/i;

function oasPerIn(place: PlacedObject): FieldReading<Micros> {
  if (!has(place, "per")) return "absent";
  const value = member(place, "per");
  const parsed = typeof value === "string" ? parseOasDuration(value) : null;
  if (parsed !== null && parsed <= LONGEST) return parsed;
  if (parsed !== null) {
    noteAt(place, "per", "CFG-PER-RANGE", `per must be at most 876,000 h; got ${show(value)}`);
    return "faulty";
  }
  const message = `per of an OAS rateLimit must be a duration above 0 as a string; got ${show(value)}`;
  const fix = 'write integers with h, m, s, ms in falling order, such as "1m30s"';
  noteAt(place, "per", "CFG-DURATION", message, fix);
  return "faulty";
}

function combine(
  place: PlacedObject,
  rate: FieldReading<number>,
  per: FieldReading<Micros>,
  form: LimitRules["per"],
): Limit | null {
  if (rate === "faulty" || per === "faulty") {
    if (rate !== "faulty" && rate !== "absent") checkFraction(place, rate, "faulty", form);
    if (per !== "faulty" && per !== "absent" && per !== 0) checkWindow(place, per);
    return null;
  }
  if (rate === "absent") {
    if (per === "absent") return null;
    const fix = "add rate, or take per away";
    noteAt(place, "per", "CFG-PER-WITHOUT-RATE", "per is set without rate", fix);
    return null;
  }
  // With an unlimited rate `per` has no effect, so any window will do if it is absent or invalid (LIM-C10).
  if (rate === UNLIMITED_RATE) {
    return { rate, perUs: per !== "absent" && isWindow(per) ? per : SECOND, smoothing: null };
  }
  const perUs = per === "absent" ? 0 : per;
  if (isAbsent(rate, perUs)) return null;
  if (perUs === 0) {
    const name = per === "absent" ? "rate" : "per";
    const message = `rate ${rate} needs a window above 0`;
    noteAt(place, name, "CFG-RATE-WITHOUT-PER", message, "add per, in seconds");
    return null;
  }
  const isUsable = checkWindow(place, perUs);
  if (!checkFraction(place, rate, isUsable ? perUs : "faulty", form) || !isUsable) return null;
  return { rate, perUs: micros(perUs), smoothing: null };
}

function checkWindow(place: PlacedObject, perUs: number): boolean {
  if (isWindow(perUs)) return true;
  const message = `per must be between 1 ms and 100 years; got ${perUs / SECOND} s`;
  noteAt(place, "per", "CFG-PER-RANGE", message);
  return false;
}

function checkFraction(
  place: PlacedObject,
  rate: number,
  perUs: number | "faulty",
  form: LimitRules["per"],
): boolean {
  if (rate <= 0 || rate >= 1) return true;
  const better =
    perUs === "faulty" ? "a longer window and an integer" : wholeEquivalent(rate, perUs, form);
  noteAt(place, "rate", "CFG-RATE-FRACTION", `rate ${rate} is below 1`, `write ${better}`);
  return false;
}

const isWindow = (us: number): boolean => us >= MILLISECOND && us <= LONGEST;

/** Writes the same effective rate with an integer rate: 0.5 per 1 s is 1 per 2 s (LIM-C2). */
function wholeEquivalent(rate: number, perUs: number, form: LimitRules["per"]): string {
  const parts = millionths(rate);
  const divisor = greatestCommonDivisor(parts, MILLIONTHS);
  const longerUs = perUs * (MILLIONTHS / divisor);
  const per = form === "world" ? longerUs / SECOND : `"${longerUs / MILLISECOND}ms"`;
  return `rate: ${parts / divisor}, per: ${per}`;
}

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b);

/** LIM-8: `allowance` has no effect, so an allowance that differs from the rate would mislead. */
export function checkAllowance(place: PlacedObject): void {
  const allowance = numberIn(place, "allowance");
  const rate = member(place, "rate");
  if (typeof allowance !== "number" || typeof rate !== "number" || allowance === rate) return;
  const message = `allowance is ${allowance} but rate is ${rate}; only rate decides`;
  noteAt(place, "allowance", "CFG-ALLOWANCE-DIFFERS", message, `write allowance: ${rate}`);
}
