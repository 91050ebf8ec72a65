// An event in the form for webhooks: it has ids, and never a secret.
import type { LimiterEvent } from "../../../limiter/core/events.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { RecordTypeName } from "../records/record-types.ts";
import type { EventName } from "./names.ts";

export interface Happening {
  readonly event: EventName;
  readonly firstUs: number;
  readonly lastUs: number; // time of the last merged event
  readonly api: string | null;
  readonly key: string | null;
  readonly path: string | null;
  readonly meta: JsonObject;
  readonly count: number; // number of merged events
  readonly budget: string | null; // events with the same value may be merged; null: never merged
}

/** Null if no webhook can list the event. */
export function happeningOf(limiterEvent: LimiterEvent): Happening | null {
  const { event, stampUs: atUs, key, api, budget, value, path } = limiterEvent;
  const plain = { firstUs: atUs, lastUs: atUs, api, key, path, count: 1, budget: null };
  switch (event) {
    case "RatelimitExceeded":
    case "QuotaExceeded":
      return { ...plain, event, meta: { budget }, budget: budget ?? "" };
    case "RateLimitSmoothingUp":
    case "RateLimitSmoothingDown":
      return { ...plain, event, meta: { budget, allowance: value } };
    case "PolicyMissing":
      return { ...plain, event, meta: { policy: budget } };
    case "StoreUnavailable":
    case "StoreRecovered":
      return { ...plain, event, meta: {} };
    case "ShadowLimitExceeded":
    case "AccessNotEnforced":
      return null; // no webhook can list it (EVT-C1)
  }
}

/** Merges two events of one budget. Fields that differ become null. */
export const mergeHappenings = (one: Happening, other: Happening): Happening => ({
  ...one,
  firstUs: Math.min(one.firstUs, other.firstUs),
  lastUs: Math.max(one.lastUs, other.lastUs),
  api: one.api === other.api ? one.api : null,
  key: one.key === other.key ? one.key : null,
  path: one.path === other.path ? one.path : null,
  count: one.count + other.count,
});

/**
 * The portal events that a change of a record causes (EVT-C1). Weir has no requests for access, so a change that grants
 * a key access also causes the event of an approval.
 */
export function happeningsOfChange(
  family: RecordTypeName,
  id: string,
  before: JsonObject | null,
  after: JsonObject | null,
  atUs: number,
): readonly Happening[] {
  if (after === null) return [];
  const happening = (event: EventName, what: Partial<Happening>): Happening => ({
    event,
    firstUs: atUs,
    lastUs: atUs,
    api: null,
    key: null,
    path: null,
    meta: {},
    count: 1,
    budget: null,
    ...what,
  });
  switch (family) {
    case "users": {
      const meta = { user: id };
      if (before === null) return [happening("UserRegistered", { meta })];
      if (before["active"] === after["active"]) return [];
      const event = after["active"] === true ? "UserAccountActivated" : "UserAccountDeactivated";
      return [happening(event, { meta })];
    }
    case "keys": {
      const earlier = new Set(apisOf(before));
      const granted = apisOf(after).filter((api) => !earlier.has(api));
      return [
        ...(before === null ? [happening("CredentialRegistered", { key: id })] : []),
        ...granted.map((api) => happening("AccessRequestApproved", { key: id, api })),
      ];
    }
    case "policies":
    case "apis":
    case "profiles":
    case "webhooks":
    case "catalogues":
    case "gateway":
    case "tokens":
    case "installation":
      return [];
  }
}

const apisOf = (key: JsonObject | null): readonly string[] =>
  isObject(key?.["access_rights"]) ? Object.keys(key["access_rights"]) : [];
