// Makes the source text of a world k times as slow. The oracle and the management records read this text.
import { SECOND } from "../../kit/units.ts";
import type { World } from "../scenario/world.ts";
import type { Json } from "../../kit/reading/shape.ts";
import { EPOCH_US } from "../sim/engine.ts";

const DURATIONS: ReadonlySet<string> = new Set([
  "per",
  "delay",
  "quota_renewal_rate",
  "throttle_interval",
  "drl_expiry",
  "drl_notification_frequency",
  "store_timeout",
]);
/** A field with arbitrary data of a user. A gateway ignores the data, even if a name in it is that of a duration. */
const FREE_FORM = "meta_data";
const EPOCH_SECONDS = EPOCH_US / SECOND;

export function stretchRaw(raw: World["raw"], k: number): World["raw"] {
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [name, stretchField(name, value, k)]),
  );
}

function stretchField(name: string, value: Json, k: number): Json {
  // An API or a key may be named like a duration field, but its value is an object.
  const isOne = typeof value !== "object" || value === null;
  if (isOne && DURATIONS.has(name)) return stretchDuration(value, k);
  if (name === "expires" && typeof value === "number" && value > 0)
    return EPOCH_SECONDS + k * (value - EPOCH_SECONDS);
  if (name === "drl_threshold" && typeof value === "number") return value / k;
  if (name === FREE_FORM) return value;
  if (Array.isArray(value)) return value.map((each: Json) => stretchField("", each, k));
  return typeof value === "object" && value !== null ? stretchRaw(value as World["raw"], k) : value;
}

/** Multiplies each number of `1m30s` by k. -1 and 0 mean "none" and stay unchanged. */
function stretchDuration(value: Json, k: number): Json {
  if (typeof value === "string")
    return value.replaceAll(/\d+(?:\.\d+)?/g, (digits) => String(Number(digits) * k));
  return typeof value === "number" && value > 0 ? value * k : value;
}
