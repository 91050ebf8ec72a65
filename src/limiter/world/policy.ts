import type { AccessRight, Policy, Supplies } from "../core/config.ts";
import type { Path, Problem } from "../../kit/reading/problems.ts";
import { readAccess } from "./access.ts";
import { readMetaData, readQuota, readThrottle } from "./allotment.ts";
import { readLimit } from "./limit.ts";
import { PARTITIONS, POLICY, UNENFORCED_POLICY } from "./members.ts";
import {
  findingsOfRecord,
  noteAt,
  open,
  openMember,
  reportUnused,
  type PlacedObject,
} from "./place.ts";
import type { ReadContext } from "./references.ts";
import { listUnenforced } from "./unenforced.ts";
import { booleanIn, orElse, textIn } from "./values.ts";

export function readPolicy(
  name: string,
  raw: unknown,
  path: Path,
  problems: Problem[],
  known: ReadContext,
): Policy | null {
  const findings = findingsOfRecord(raw, path, problems);
  const place = open(raw, path, findings, POLICY);
  if (place === null) return null;
  booleanIn(place, "hmac_enabled");
  const unenforced = listUnenforced(place, UNENFORCED_POLICY, true);
  const { supplies, isPerApi } = readPartitions(place);
  const rules = { acting: supplies.access, unlimited: "kept" } as const;
  const policy: Policy = {
    id: textIn(place, "id") ?? textIn(place, "_id") ?? name,
    supplies,
    limit: readLimit(place, { smoothing: known.options, per: "world" }),
    quota: readQuota(place, "kept"),
    throttle: readThrottle(place),
    accessRights: withUnenforced(
      readAccess(place, known, rules) ?? new Map(),
      supplies,
      unenforced,
    ),
    inactive: orElse(booleanIn(place, "is_inactive"), false),
    metaData: readMetaData(place),
  };
  warnLeftOut(place, policy);
  reportUnused(findings);
  return isPerApi ? asPerApi(policy) : policy;
}

export const SUPPLIES_ALL: Supplies = { access: true, rate: true, quota: true };

/** Reads what a policy supplies (LIM-C14): nothing if only `complexity` is set, which is not enforced. */
function readPartitions(place: PlacedObject): {
  readonly supplies: Supplies;
  readonly isPerApi: boolean;
} {
  const partitions = openMember(place, "partitions", PARTITIONS);
  if (partitions === null) return { supplies: SUPPLIES_ALL, isPerApi: false };
  const isSet = (name: string): boolean => orElse(booleanIn(partitions, name), false);
  const access = isSet("acl");
  const rate = isSet("rate_limit");
  const quota = isSet("quota");
  const complexity = isSet("complexity");
  const isPerApi = isSet("per_api");
  const isPart = access || rate || quota || complexity;
  if (isPart && isPerApi) {
    const message = "per_api cannot be combined with acl, rate_limit, quota or complexity";
    const fix = "set per_api alone, or split the policy in two";
    noteAt(partitions, "per_api", "CFG-PARTITIONS-PER-API", message, fix);
  }
  return { supplies: isPart ? { access, rate, quota } : SUPPLIES_ALL, isPerApi };
}

/** Warns of numbers that the partitions exclude. Exported policies often have such numbers, which seem effective. */
function warnLeftOut(place: PlacedObject, { supplies, limit, quota, throttle }: Policy): void {
  const fields = [
    ...(!supplies.rate && limit !== null ? ["rate", "per"] : []),
    ...(!supplies.rate && throttle !== null ? ["throttle_interval", "throttle_retry_limit"] : []),
    ...(!supplies.quota && quota !== null ? ["quota_max"] : []),
  ];
  if (fields.length === 0) return;
  const parts = [...(supplies.rate ? [] : ["rate_limit"]), ...(supplies.quota ? [] : ["quota"])];
  const message = `stored, but without effect, because partitions leave out ${parts.join(" and ")}: ${fields.join(", ")}`;
  noteAt(place, "partitions", "CFG-STORED-ONLY", message);
}

/** `per_api`: an API of the policy without its own limit, quota or throttling gets that of the policy (LIM-C14). */
function asPerApi(policy: Policy): Policy {
  const { limit, quota, throttle } = policy;
  const accessRights = [...policy.accessRights].map(([api, right]): [string, AccessRight] => [
    api,
    {
      ...right,
      limit: right.limit ?? limit,
      quota: right.quota ?? quota,
      throttle: right.throttle ?? throttle,
    },
  ]);
  return {
    ...policy,
    limit: null,
    quota: null,
    throttle: null,
    accessRights: new Map(accessRights),
  };
}

/**
 * If a policy requires an unsupported check of every request, each of its APIs requires the check (MGT-C8). The checks
 * that are required by an access right itself remain only if the policy supplies access.
 */
function withUnenforced(
  rights: ReadonlyMap<string, AccessRight>,
  { access }: Supplies,
  ofPolicy: readonly string[],
): ReadonlyMap<string, AccessRight> {
  if (access && ofPolicy.length === 0) return rights;
  const required = [...rights].map(([id, right]): [string, AccessRight] => [
    id,
    { ...right, unenforced: access ? [...right.unenforced, ...ofPolicy] : ofPolicy },
  ]);
  return new Map(required);
}
