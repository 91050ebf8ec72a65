import type { OmittedLimit } from "../core/config.ts";
import type { Limit } from "../core/limit.ts";
import { GLOBAL_RATE_LIMIT } from "./api-members.ts";
import { noteLeftOut } from "./endpoints.ts";
import { readLimit } from "./limit.ts";
import { openMember, type PlacedObject } from "./place.ts";

/** LIM-7: the API-level limit. A switched-off one is not there, as with the entries (EPT-C2). */
export function readGlobalRateLimit(place: PlacedObject, leftOut: OmittedLimit[]): Limit | null {
  const limit = openMember(place, "global_rate_limit", GLOBAL_RATE_LIMIT);
  return limit === null || noteLeftOut(limit, "global_rate_limit", leftOut)
    ? null
    : readLimit(limit, { smoothing: null, per: "world" });
}
