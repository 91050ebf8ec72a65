import type { AccessRight, Policy } from "../config.ts";
import type { Path, Problem } from "../problems.ts";
import { readAccess } from "./access.ts";
import { readMetaData, readQuota, readThrottle } from "./allotment.ts";
import { readLimit } from "./limit.ts";
import { POLICY, UNENFORCED_POLICY } from "./members.ts";
import { findingsOfRecord, open, reportUnused } from "./place.ts";
import type { Known } from "./references.ts";
import { unenforcedIn } from "./unenforced.ts";
import { booleanIn, orElse, textIn } from "./values.ts";

export function readPolicy(
  name: string,
  raw: unknown,
  path: Path,
  problems: Problem[],
  known: Known,
): Policy | null {
  const findings = findingsOfRecord(raw, path, problems);
  const place = open(raw, path, findings, POLICY);
  if (place === null) return null;
  booleanIn(place, "hmac_enabled");
  const unenforced = unenforcedIn(place, UNENFORCED_POLICY, true);
  const policy: Policy = {
    id: textIn(place, "id") ?? textIn(place, "_id") ?? name,
    limit: readLimit(place, { smoothing: known.options, per: "world" }),
    quota: readQuota(place, "kept"),
    throttle: readThrottle(place),
    accessRights: withUnenforced(readAccess(place, known, true) ?? new Map(), unenforced),
    inactive: orElse(booleanIn(place, "is_inactive"), false),
    metaData: readMetaData(place),
  };
  reportUnused(findings);
  return policy;
}

/** A policy that asks for a check of every request asks for it on each API that it grants (MGT-C8). */
function withUnenforced(
  rights: ReadonlyMap<string, AccessRight>,
  unenforced: readonly string[],
): ReadonlyMap<string, AccessRight> {
  if (unenforced.length === 0) return rights;
  const asking = [...rights].map(([id, right]): [string, AccessRight] => [
    id,
    { ...right, unenforced: [...right.unenforced, ...unenforced] },
  ]);
  return new Map(asking);
}
