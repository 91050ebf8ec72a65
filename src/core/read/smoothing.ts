// The smoothing object beside rate and per (SMO-7, SMO-8, SMO-C4, SMO-C5, SMO-C7).
import type { GatewayOptions } from "../config.ts";
import { hasAtMostSixDecimals, isUnlimited, type Limit, type Smoothing } from "../limit.ts";
import { chooseAlgorithm, isLogBased } from "../select.ts";
import type { Micros } from "../units.ts";
import { SMOOTHING } from "./members.ts";
import { has, member, noteAt, open, at, isObject, show, type Place } from "./place.ts";
import { booleanIn, durationIn, LONGEST, type Reading } from "./values.ts";

/** Nothing but `enabled` is looked at unless it is true (SMO-8, SMO-C4). */
export function readSmoothing(
  limitPlace: Place,
  limit: Limit | null,
  limitFaulty: boolean,
): Smoothing | null {
  if (!has(limitPlace, "smoothing")) return null;
  const place = open(
    member(limitPlace, "smoothing"),
    at(limitPlace, "smoothing"),
    limitPlace.findings,
    SMOOTHING,
  );
  if (place === null) return null;
  const enabled = booleanIn(place, "enabled");
  if (enabled === "absent" && Object.keys(place.raw).length > 0) {
    noteAt(
      place,
      null,
      "CFG-SMOOTHING-OFF",
      "smoothing does not say enabled, so it is off",
      "add enabled: true or enabled: false",
    );
  }
  if (enabled !== true) return null;
  const threshold = amountIn(place, "threshold");
  const step = amountIn(place, "step");
  const trigger = amountIn(place, "trigger");
  const delayUs = delayIn(place);
  if (!limitFaulty) checkAgainstLimit(place, limit, threshold);
  if (trigger !== null && trigger > 1) {
    noteAt(
      place,
      "trigger",
      "CFG-SMOOTHING-TRIGGER",
      `trigger ${trigger} is above 1, more than a whole step`,
    );
  }
  if (threshold === null || step === null || trigger === null || delayUs === null) return null;
  return { threshold, step, trigger, delayUs };
}

function checkAgainstLimit(place: Place, limit: Limit | null, threshold: number | null): void {
  if (limit === null || isUnlimited(limit)) {
    noteAt(
      place,
      null,
      "CFG-SMOOTHING-NO-RATE",
      "smoothing is enabled, but there is no rate to smooth",
      "add rate and per beside it",
    );
  } else if (threshold !== null && threshold > limit.rate) {
    noteAt(
      place,
      "threshold",
      "CFG-SMOOTHING-THRESHOLD",
      `threshold ${threshold} is above rate ${limit.rate}`,
    );
  }
}

function amountIn(place: Place, name: string): number | null {
  const value = member(place, name);
  if (typeof value === "number" && value > 0 && hasAtMostSixDecimals(value)) return value;
  refuseAmount(place, name);
  return null;
}

function delayIn(place: Place): Micros | null {
  const delay: Reading<Micros> = has(place, "delay") ? durationIn(place, "delay") : "absent";
  if (delay === "faulty") return null;
  if (delay !== "absent" && delay > 0 && delay <= LONGEST) return delay;
  refuseAmount(place, "delay");
  return null;
}

function refuseAmount(place: Place, name: string): void {
  const value = member(place, name);
  const found = value === null ? "missing" : show(value);
  noteAt(
    place,
    value === null ? null : name,
    "CFG-SMOOTHING-VALUE",
    `${name} of smoothing is a number above 0 with at most 6 decimals; it is ${found}`,
  );
}

/** SMO-C7: an API-level limit is one budget for all clients, and the document gives it no smoothing. */
export function refuseSmoothing(place: Place): void {
  const value = member(place, "smoothing");
  if (
    value === null ||
    (isObject(value) && Object.hasOwn(value, "enabled") && value["enabled"] === false)
  )
    return;
  noteAt(
    place,
    "smoothing",
    "CFG-SMOOTHING-PLACE",
    "an API-level limit cannot be smoothed",
    "smooth the limit of a key, a policy or access_rights",
  );
}

/**
 * SMO-C5. What DRL takes over depends on the number of gateways as well; the warning asks for one gateway,
 * where DRL begins earliest.
 */
export function warnIgnored(place: Place, limit: Limit, options: GatewayOptions): void {
  const algorithm = chooseAlgorithm(options, limit, 1);
  if (isLogBased(algorithm)) return;
  const when =
    algorithm === "drl" && options.algorithm === null ? ", while drl_threshold chooses it," : "";
  const message = `${algorithm}${when} does not smooth, so the plain limit applies`;
  noteAt(place, "smoothing", "CFG-SMOOTHING-IGNORED", message, "choose a log-based algorithm");
}
