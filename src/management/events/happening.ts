// What has happened, as a webhook may hear of it: ids, and never a secret.
import type { LimiterEvent } from "../../core/events.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { RecordTypeName } from "../records/record-types.ts";
import type { EventName } from "./names.ts";

export interface Happening {
  readonly event: EventName;
  readonly firstUs: number;
  readonly lastUs: number; // of those that were merged
  readonly api: string | null;
  readonly key: string | null;
  readonly path: string | null;
  readonly meta: JsonObject;
  readonly count: number; // how often it happened
  readonly budget: string | null; // by which it may be merged; null: each stands for itself
}

/** Null: no webhook can list it. */
export function ofLimiter(said: LimiterEvent): Happening | null {
  const { event, stampUs: atUs, key, api, budget, value, path } = said;
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
      return null; // EVT-C1
  }
}

/** Two of one budget as one. What they do not have in common is not said. */
export const merged = (one: Happening, other: Happening): Happening => ({
  ...one,
  firstUs: Math.min(one.firstUs, other.firstUs),
  lastUs: Math.max(one.lastUs, other.lastUs),
  api: one.api === other.api ? one.api : null,
  key: one.key === other.key ? one.key : null,
  path: one.path === other.path ? one.path : null,
  count: one.count + other.count,
});

/**
 * What a change of a record means to the portal's readers (EVT-C1), as far as anybody can tell by the record. Nobody
 * asks for access here: it is granted by whoever edits a key, and the grant is the approval.
 */
export function ofChange(
  family: RecordTypeName,
  id: string,
  before: JsonObject | null,
  after: JsonObject | null,
  atUs: number,
): readonly Happening[] {
  if (after === null) return [];
  const of = (event: EventName, what: Partial<Happening>): Happening => ({
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
      if (before === null) return [of("UserRegistered", { meta })];
      if (before["active"] === after["active"]) return [];
      const event = after["active"] === true ? "UserAccountActivated" : "UserAccountDeactivated";
      return [of(event, { meta })];
    }
    case "keys": {
      const had = new Set(grantedBy(before));
      const granted = grantedBy(after).filter((api) => !had.has(api));
      return [
        ...(before === null ? [of("CredentialRegistered", { key: id })] : []),
        ...granted.map((api) => of("AccessRequestApproved", { key: id, api })),
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

const grantedBy = (key: JsonObject | null): readonly string[] =>
  isObject(key?.["access_rights"]) ? Object.keys(key["access_rights"]) : [];
