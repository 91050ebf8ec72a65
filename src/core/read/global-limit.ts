import type { Limit } from "../limit.ts";
import { GLOBAL_RATE_LIMIT } from "./api-members.ts";
import { isOn } from "./endpoints.ts";
import { readLimit } from "./limit.ts";
import { openMember, type Place } from "./place.ts";

/** LIM-7: the API-level limit. A switched-off one is not there, as with the entries (EPT-C2). */
export function readGlobalRateLimit(place: Place): Limit | null {
  const limit = openMember(place, "global_rate_limit", GLOBAL_RATE_LIMIT);
  return limit === null || !isOn(limit)
    ? null
    : readLimit(limit, { smoothing: null, per: "world" });
}
