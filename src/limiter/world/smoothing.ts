// The smoothing object of a limit (SMO-7, SMO-8, SMO-C4, SMO-C5, SMO-C7).
import type { GatewayOptions } from "../core/config.ts";
import {
  hasAtMostSixDecimals,
  isUnlimited,
  MILLIONTHS,
  millionths,
  type Limit,
  type Smoothing,
} from "../core/limit.ts";
import { isLogBased, TRAITS } from "../core/algorithms.ts";
import { chooseAlgorithm } from "../core/select.ts";
import type { Micros } from "../../kit/units.ts";
import { SMOOTHING } from "./members.ts";
import { has, isObject, member, noteAt, openMember, show, type PlacedObject } from "./place.ts";
import { booleanIn, durationIn, LONGEST, type FieldReading } from "./values.ts";

/** Null unless `enabled` is true, whatever the other fields are (SMO-8, SMO-C4). */
export function readSmoothing(
  limitPlace: PlacedObject,
  limit: Limit | null,
  limitFaulty: boolean,
): Smoothing | null {
  const place = openMember(limitPlace, "smoothing", SMOOTHING);
  if (place === null) return null;
  const enabled = booleanIn(place, "enabled");
  if (enabled === "absent" && Object.keys(place.raw).length > 0) {
    const message = "smoothing has no field enabled, so it is off";
    noteAt(place, null, "CFG-SMOOTHING-OFF", message, "add enabled: true or enabled: false");
  }
  if (enabled !== true) return null;
  const threshold = amountIn(place, "threshold");
  const step = amountIn(place, "step");
  const trigger = amountIn(place, "trigger");
  const delayUs = delayIn(place);
  if (!limitFaulty) checkAgainstLimit(place, limit, threshold, step);
  if (trigger !== null && trigger > 1) {
    const message = `trigger ${trigger} is above 1, more than a whole step`;
    noteAt(place, "trigger", "CFG-SMOOTHING-TRIGGER", message);
  }
  if (threshold === null || step === null || trigger === null || delayUs === null) return null;
  return { threshold, step, trigger, delayUs };
}

/** Maximum steps from threshold to rate: one request may apply all of them, each with an event (SMO-C4, SMO-C6). */
const MOST_STEPS = 10_000;

/** Computed in millionths, so that 0.3 is exactly three steps of 0.1. */
const areTooManySteps = (rate: number, threshold: number, step: number): boolean =>
  millionths(rate) - millionths(threshold) > MOST_STEPS * millionths(step);

const leastStep = (rate: number, threshold: number): number =>
  Math.ceil((millionths(rate) - millionths(threshold)) / MOST_STEPS) / MILLIONTHS;

function checkAgainstLimit(
  place: PlacedObject,
  limit: Limit | null,
  threshold: number | null,
  step: number | null,
): void {
  if (limit === null || isUnlimited(limit)) {
    const message = "smoothing is enabled, but there is no rate to smooth";
    noteAt(place, null, "CFG-SMOOTHING-NO-RATE", message, "add rate and per to the limit");
  } else if (threshold !== null && threshold > limit.rate) {
    const message = `threshold ${threshold} is above rate ${limit.rate}`;
    noteAt(place, "threshold", "CFG-SMOOTHING-THRESHOLD", message);
  } else if (threshold !== null && step !== null && areTooManySteps(limit.rate, threshold, step)) {
    const message = `step ${step} is too small: between threshold ${threshold} and rate ${limit.rate} are more than ${MOST_STEPS} steps`;
    const fix = `choose a step of at least ${leastStep(limit.rate, threshold)}`;
    noteAt(place, "step", "CFG-SMOOTHING-STEPS", message, fix);
  }
}

function amountIn(place: PlacedObject, name: string): number | null {
  const value = member(place, name);
  if (typeof value === "number" && value > 0 && hasAtMostSixDecimals(value)) return value;
  refuseAmount(place, name);
  return null;
}

function delayIn(place: PlacedObject): Micros | null {
  const delay: FieldReading<Micros> = has(place, "delay") ? durationIn(place, "delay") : "absent";
  if (delay === "faulty") return null;
  if (delay !== "absent" && delay > 0 && delay <= LONGEST) return delay;
  refuseAmount(place, "delay");
  return null;
}

function refuseAmount(place: PlacedObject, name: string): void {
  const value = member(place, name);
  const found = value === null ? "nothing" : show(value);
  const message = `${name} of smoothing must be a number above 0 with at most 6 decimals; got ${found}`;
  noteAt(place, value === null ? null : name, "CFG-SMOOTHING-VALUE", message);
}

/** Reports smoothing of an API-level limit: the specification has none for a budget of all clients (SMO-C7). */
export function refuseSmoothing(place: PlacedObject): void {
  const value = member(place, "smoothing");
  const isOff = isObject(value) && Object.hasOwn(value, "enabled") && value["enabled"] === false;
  if (value === null || isOff) return;
  const fix = "smooth the limit of a key, a policy or access_rights";
  noteAt(place, "smoothing", "CFG-SMOOTHING-PLACE", "an API-level limit cannot be smoothed", fix);
}

/** Warns if the algorithm does not smooth (SMO-C5). Assumes one gateway, because then DRL applies most often. */
export function warnIgnored(place: PlacedObject, limit: Limit, options: GatewayOptions): void {
  const algorithm = chooseAlgorithm(options, limit, 1);
  if (isLogBased(algorithm)) return;
  const when =
    TRAITS[algorithm].place === "gateway" && options.algorithm === null
      ? ", while drl_threshold chooses it,"
      : "";
  const message = `${algorithm}${when} does not smooth, so the plain limit applies`;
  noteAt(place, "smoothing", "CFG-SMOOTHING-IGNORED", message, "choose a log-based algorithm");
}
