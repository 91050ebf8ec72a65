// Reads what limits: rates, smoothing, quotas.
import { NEVER } from "../core/units.ts";
import type { Limit, Quota, Smoothing } from "./configured.ts";
import { membersIn, numberIn, timeIn, type Members } from "./text.ts";

/** LIM-C2, LIM-10, LIM-C10; a shadow is in nobody's way (LIM-C13). */
export function limitOf(said: Members): Limit | null {
  const rate = numberIn(said["rate"]);
  const perUs = timeIn(said["per"]);
  if (said["shadow"] === true || (rate === 0 && perUs === 0)) return null;
  return { rate, perUs, smoothing: smoothingOf(membersIn(said["smoothing"])) };
}

/** SMO-8: only what is enabled is there. */
const smoothingOf = (said: Members): Smoothing | null =>
  said["enabled"] === true
    ? {
        threshold: numberIn(said["threshold"]),
        step: numberIn(said["step"]),
        trigger: numberIn(said["trigger"]),
        delayUs: timeIn(said["delay"]),
      }
    : null;

/** LIM-C9: absent and 0 are none; -1 is unlimited. One whose renewal is not above 0 never renews. */
export function quotaOf(said: Members): Quota | null {
  const max = numberIn(said["quota_max"]);
  const renewalUs = timeIn(said["quota_renewal_rate"]);
  return max === 0 ? null : { max, renewalUs: renewalUs > 0 ? renewalUs : NEVER };
}

export const isThrottled = (said: Members): boolean =>
  timeIn(said["throttle_interval"]) > 0 && numberIn(said["throttle_retry_limit"]) > 0;
