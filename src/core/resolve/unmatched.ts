// Every limit that a request does not meet, and why: what an operator asks who expected it to be met. It
// says over again, for one request and slowly, what the resolver and the merge decide for all.
import type { Scope } from "../budget.ts";
import type { ApiDefinition, EndpointLimit, Key, LeftOut, Policy } from "../config.ts";
import { compareEffectiveRate, isUnlimited, type Limit } from "../limit.ts";
import { microsToSeconds } from "../units.ts";
import { comparedMethod, isSamePath, type Matching } from "./endpoint.ts";
import type { Grant, Merged } from "./merge.ts";
import { nameOfEntry } from "./same-entry.ts";

export type WhyNot =
  | "absent"
  | "disable_rate_limit"
  | "less_specific"
  | "lost_the_merge"
  | "no_access_right"
  | "not_supplied"
  | "other_method"
  | "other_path"
  | "behind_another_entry"
  | "disabled"
  | "zero"
  | "replaced_by_policies"
  | "unknown_policy"
  | "unlimited";

export interface Unmatched {
  readonly level: Scope;
  readonly where: string; // in the configuration, in its own words
  readonly rate: number | null; // null: there is no such limit
  readonly per: number | null; // seconds
  readonly reason: WhyNot;
  readonly text: string; // the reason as one sentence
}

export interface Asked {
  readonly api: ApiDefinition;
  readonly key: Key | null; // null: keyless
  readonly merged: Merged | null;
  readonly policies: ReadonlyMap<string, Policy>;
  readonly method: string;
  readonly path: string; // without the listen path
  readonly matching: Matching;
}

export function unmatchedLimits(asked: Asked): readonly Unmatched[] {
  const { api, key, merged, policies } = asked;
  const ofApi = unmatchedOfApi(asked);
  if (key === null || merged === null) return ofApi;
  const known = key.applyPolicies.flatMap((id) => policies.get(id) ?? []);
  return [
    ...ofApi,
    ...(api.disableRateLimit ? [] : unmatchedAtKey(asked, merged)),
    ...known.flatMap((policy) => unmatchedOfPolicy(asked, policy, merged)),
    ...merged.missing.map((id) => unknownPolicy(id)),
    ...unmatchedOfKey(asked, key, known, merged),
  ];
}

const describe = ({ rate, perUs }: Limit): string =>
  rate < 0 ? "unlimited" : `${rate} per ${microsToSeconds(perUs)} s`;

const unmatched = (
  level: Scope,
  where: string,
  limit: Limit | null,
  reason: WhyNot,
  text: string,
): Unmatched => ({
  level,
  where,
  rate: limit?.rate ?? null,
  per: limit === null ? null : microsToSeconds(limit.perUs),
  reason,
  text,
});

// ---------------------------------------------------------------- one list of endpoints

const nameOf = ({ method, pattern }: EndpointLimit): string => `${method} ${pattern.text}`;

const isItsMethod = ({ method, matching }: Asked, entry: EndpointLimit): boolean =>
  comparedMethod(entry.method, matching) === comparedMethod(method, matching);

const isMet = (asked: Asked, entry: EndpointLimit): boolean =>
  isItsMethod(asked, entry) && isSamePath(entry.pattern, asked.path, asked.matching);

/** All but the one that is met: with a reason for each. */
function unmatchedEntries(
  asked: Asked,
  level: Scope,
  where: string,
  entries: readonly EndpointLimit[],
): readonly Unmatched[] {
  const met = entries.find((entry) => isMet(asked, entry)) ?? null;
  return entries.flatMap((entry): readonly Unmatched[] => {
    const at = `${where}, endpoint ${nameOf(entry)}`;
    const not = (reason: WhyNot, text: string): Unmatched =>
      unmatched(level, at, entry.limit, reason, text);
    if (entry === met)
      return isUnlimited(entry.limit)
        ? [not("unlimited", "rate -1 is unlimited and ends the search (LIM-C10)")]
        : [];
    if (!isItsMethod(asked, entry))
      return [not("other_method", `it is for ${entry.method}, not for ${asked.method}`)];
    if (!isSamePath(entry.pattern, asked.path, asked.matching))
      return [not("other_path", `${entry.pattern.text} does not match ${asked.path}`)];
    return [not("behind_another_entry", `${nameOf(met!)} is tried before it and matches`)];
  });
}

// ---------------------------------------------------------------- the API's own

function unmatchedOfApi(asked: Asked): readonly Unmatched[] {
  const { api } = asked;
  const { globalRateLimit } = api;
  const where = `API ${api.id}`;
  const at = `${where}, global_rate_limit`;
  if (api.disableRateLimit) {
    const off = (level: Scope, place: string, limit: Limit | null): Unmatched =>
      unmatched(
        level,
        place,
        limit,
        "disable_rate_limit",
        "the API has disable_rate_limit (LIM-9)",
      );
    const entries = api.endpoints.map((entry) =>
      off("api-endpoint", `${where}, endpoint ${nameOf(entry)}`, entry.limit),
    );
    return [...entries, off("api", at, globalRateLimit), off("key", "any limit of a key", null)];
  }
  const entries = unmatchedEntries(asked, "api-endpoint", where, api.endpoints);
  const met = api.endpoints.find((entry) => isMet(asked, entry));
  const leftOut = (api.leftOut ?? []).map((left) => unmatchedLeftOut(where, left));
  const isSaid = globalRateLimit === null && leftOut.some(({ level }) => level === "api");
  const global = isSaid ? [] : lessSpecific("api", at, globalRateLimit, met);
  return [...entries, ...leftOut, ...global];
}

function unmatchedLeftOut(at: string, { where, why }: LeftOut): Unmatched {
  const isGlobal = where === "global_rate_limit";
  const text =
    why === "disabled"
      ? "it is switched off (EPT-7)"
      : "a limit whose rate and per are both 0 does not exist (LIM-10)";
  const place = isGlobal ? where : `endpoint ${where}`;
  return unmatched(isGlobal ? "api" : "api-endpoint", `${at}, ${place}`, null, why, text);
}

/** A limit that an endpoint's own stands before; or none that is there; or one without a number. */
function lessSpecific(
  level: Scope,
  where: string,
  limit: Limit | null,
  met: EndpointLimit | undefined,
): readonly Unmatched[] {
  if (limit === null) return [unmatched(level, where, null, "absent", "there is no such limit")];
  if (met !== undefined) {
    const text = `the limit of endpoint ${nameOf(met)} is more specific`;
    return [unmatched(level, where, limit, "less_specific", text)];
  }
  if (!isUnlimited(limit)) return [];
  return [unmatched(level, where, limit, "unlimited", "rate -1 is unlimited (LIM-C10)")];
}

// ---------------------------------------------------------------- what key and policies came to

function unmatchedAtKey(asked: Asked, merged: Merged): readonly Unmatched[] {
  const { api } = asked;
  const grant = merged.grants.get(api.id);
  if (grant === undefined) return [];
  const where = "the key with its policies";
  const entries = unmatchedEntries(asked, "key-endpoint", where, grant.endpoints);
  const met = grant.endpoints.find((entry) => isMet(asked, entry));
  const own = grant.own?.limit ?? null;
  const at = `${where}, limit for API ${api.id}`;
  const ofApi = lessSpecific("key-api", at, own, met);
  const root = (grant.roots ?? merged).root?.limit ?? null;
  const rootAt = `${where}, root limit`;
  if (own === null || root === null)
    return [...entries, ...ofApi, ...lessSpecific("key", rootAt, root, met)];
  const text = `the limit for API ${api.id}, ${describe(own)}, stands before it`;
  return [...entries, ...ofApi, unmatched("key", rootAt, root, "less_specific", text)];
}

// ---------------------------------------------------------------- what lost on the way there

const unknownPolicy = (id: string): Unmatched =>
  unmatched("key", `policy ${id}`, null, "unknown_policy", "there is no such policy (LIM-C7)");

function unmatchedOfPolicy(asked: Asked, policy: Policy, merged: Merged): readonly Unmatched[] {
  const { api } = asked;
  const where = `policy ${policy.id}`;
  const right = policy.accessRights.get(api.id);
  const found: Unmatched[] = [];
  if (right === undefined) {
    const text = `it grants nothing at API ${api.id}`;
    found.push(unmatched("key-api", where, null, "no_access_right", text));
  }
  const { limit, supplies } = policy;
  const grant = merged.grants.get(api.id);
  const own = right?.limit ?? null;
  if (!supplies.rate) {
    const not = (level: Scope, place: string, limitThere: Limit): Unmatched =>
      unmatched(level, `${where}, ${place}`, limitThere, "not_supplied", NOT_SUPPLIED);
    if (limit !== null) found.push(not("key", "root limit", limit));
    if (own !== null) found.push(not("key-api", `limit for API ${api.id}`, own));
    for (const entry of right?.endpoints ?? [])
      found.push(not("key-endpoint", `endpoint ${nameOf(entry)}`, entry.limit));
    return found;
  }
  const root = (grant?.roots ?? merged).root?.limit ?? null;
  if (limit !== null && limit !== root && isRulingRoot(api, policy, grant)) {
    found.push(lost("key", `${where}, root limit`, limit, root!));
  }
  const winner = grant?.drawsOnRoot === true ? root : (grant?.own?.limit ?? null);
  if (own !== null && winner !== null && own !== winner)
    found.push(lost("key-api", `${where}, limit for API ${api.id}`, own, winner));
  for (const entry of right?.endpoints ?? []) {
    const name = nameOfEntry(entry, asked.matching);
    const best = grant?.endpoints.find((other) => nameOfEntry(other, asked.matching) === name);
    if (best !== undefined && best !== entry)
      found.push(
        lost("key-endpoint", `${where}, endpoint ${nameOf(entry)}`, entry.limit, best.limit),
      );
  }
  return found;
}

const NOT_SUPPLIED = "the partitions of the policy leave out rate_limit (LIM-C14)";

/** Whether the root of a policy is a candidate at this API: where budgets are apart, only if it takes part there. */
const isRulingRoot = (
  { id }: ApiDefinition,
  { accessRights, supplies, limit }: Policy,
  grant: Grant | undefined,
): boolean =>
  supplies.rate &&
  limit !== null &&
  ((grant?.roots ?? null) === null || accessRights.size === 0 || accessRights.has(id));

function lost(level: Scope, where: string, limit: Limit, winner: Limit): Unmatched {
  const isTie = compareEffectiveRate(limit, winner) === 0;
  const text = isTie
    ? `${describe(winner)} is as fast and listed first (LIM-C4)`
    : `${describe(winner)} is the higher effective rate (LIM-5)`;
  return unmatched(level, where, limit, "lost_the_merge", text);
}

function unmatchedOfKey(
  { api }: Asked,
  key: Key,
  known: readonly Policy[],
  merged: Merged,
): readonly Unmatched[] {
  if (known.length === 0) return [];
  const found: Unmatched[] = [];
  const where = `key ${key.id}`;
  const replaced = "replaced_by_policies";
  const grant = merged.grants.get(api.id);
  const root = (grant?.roots ?? merged).root;
  if (key.limit !== null && known.some((policy) => isRulingRoot(api, policy, grant))) {
    const text = `a policy has a root limit, and ${describe(root!.limit)} came of it (LIM-C5)`;
    found.push(unmatched("key", `${where}, root limit`, key.limit, replaced, text));
  }
  const right = key.accessRights?.get(api.id);
  const text = "access and its limits come from the policies alone (LIM-C5)";
  if (right !== undefined && right.limit !== null && right.limit !== grant?.own?.limit)
    found.push(
      unmatched("key-api", `${where}, limit for API ${api.id}`, right.limit, replaced, text),
    );
  for (const entry of right?.endpoints ?? [])
    if (grant?.endpoints.includes(entry) !== true)
      found.push(
        unmatched(
          "key-endpoint",
          `${where}, endpoint ${nameOf(entry)}`,
          entry.limit,
          replaced,
          text,
        ),
      );
  return found;
}
