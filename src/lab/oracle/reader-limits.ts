// Reads limits: rates, smoothing, quotas.
import { NEVER } from "../../kit/units.ts";
import type { OracleLimit, OracleQuota, OracleSmoothing } from "./configured.ts";
import { membersIn, numberIn, timeIn, type WorldFields } from "./text.ts";

/** The limit (LIM-C2, LIM-C10); null for 0 per 0 (LIM-10) and for a shadow limit, which refuses nothing (LIM-C13). */
export function limitOf(fields: WorldFields): OracleLimit | null {
  const rate = numberIn(fields["rate"]);
  const perUs = timeIn(fields["per"]);
  if (fields["shadow"] === true || (rate === 0 && perUs === 0)) return null;
  return { rate, perUs, smoothing: smoothingOf(membersIn(fields["smoothing"])) };
}

/** SMO-8: null if smoothing is disabled or missing. */
const smoothingOf = (fields: WorldFields): OracleSmoothing | null =>
  fields["enabled"] === true
    ? {
        threshold: numberIn(fields["threshold"]),
        step: numberIn(fields["step"]),
        trigger: numberIn(fields["trigger"]),
        delayUs: timeIn(fields["delay"]),
      }
    : null;

/** LIM-C9: null if `quota_max` is missing or 0; -1 is unlimited. A quota with a renewal of at most 0 never renews. */
export function quotaOf(fields: WorldFields): OracleQuota | null {
  const max = numberIn(fields["quota_max"]);
  const renewalUs = timeIn(fields["quota_renewal_rate"]);
  return max === 0 ? null : { max, renewalUs: renewalUs > 0 ? renewalUs : NEVER };
}

export const isThrottled = (fields: WorldFields): boolean =>
  timeIn(fields["throttle_interval"]) > 0 && numberIn(fields["throttle_retry_limit"]) > 0;
