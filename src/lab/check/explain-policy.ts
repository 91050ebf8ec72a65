// Finds the policy from which a limit of a key comes (LIM-5, LIM-C9).
import type { Entry } from "../oracle/entries.ts";
import { isQuota, type OracleLevel } from "../oracle/levels.ts";
import { policiesOf } from "../oracle/merge.ts";

/** Null if the limit is of the API or of the key itself. The merge keeps the objects of the policies. */
export function findPolicy(level: OracleLevel, { admission, configuration }: Entry): string | null {
  if (admission.kind !== "served" || admission.client === null) return null;
  const { key, grant } = admission.client;
  const isOfApi = level.scope === "quota-api";
  const chosen: unknown = isQuota(level)
    ? grant.quotas.find(({ from }) => (from === "own") === isOfApi)?.quota
    : level.limit;
  const policy = policiesOf(key, configuration.policies).find(({ limit, quota, accessRights }) => {
    const rights = [...accessRights.values()];
    const own = rights.flatMap(({ endpoints, ...right }) => [
      right.limit,
      right.quota,
      ...endpoints.map((each) => each.limit),
    ]);
    return [limit, quota, ...own].some((each) => each !== null && each === chosen);
  });
  return policy?.id ?? null;
}
