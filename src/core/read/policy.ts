import type { AccessRight, GatewayOptions, Policy } from "../config.ts";
import type { Path, Problem } from "../problems.ts";
import { readAccess, readMetaData, readQuota, readThrottle, unenforcedIn } from "./allotment.ts";
import { readLimit } from "./limit.ts";
import { MARKS_OF_A_RECORD, POLICY } from "./members.ts";
import { isObject, open, pastedFindings, reportUnused, strictFindings } from "./place.ts";
import type { References } from "./references.ts";
import { booleanIn, orElse, textIn } from "./values.ts";

export const isRecord = (raw: unknown): boolean =>
  isObject(raw) && MARKS_OF_A_RECORD.some((mark) => Object.hasOwn(raw, mark));

export function readPolicy(
  name: string,
  raw: unknown,
  path: Path,
  problems: Problem[],
  apis: References,
  options: GatewayOptions,
): Policy | null {
  const findings = isRecord(raw) ? pastedFindings(problems, path) : strictFindings(problems, path);
  const place = open(raw, path, findings, POLICY);
  if (place === null) return null;
  const policy: Policy = {
    id: textIn(place, "id") ?? textIn(place, "_id") ?? name,
    limit: readLimit(place, { smoothing: options, per: "world" }),
    quota: readQuota(place, "kept"),
    throttle: readThrottle(place),
    accessRights: withUnenforced(
      readAccess(place, apis, options) ?? new Map(),
      unenforcedIn(place, ["hmac_enabled"]),
    ),
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
  return new Map(
    [...rights].map(([id, right]) => [
      id,
      { ...right, unenforced: [...right.unenforced, ...unenforced] },
    ]),
  );
}
