// Lists every limit that a request does not meet, with the reason, for operators who expected it to apply. For one
// request and slowly, this file repeats the decisions of resolver and merge.
import type { Scope } from "../budget.ts";
import type { ApiDefinition, EndpointLimit, Key, OmittedLimit, Policy } from "../config.ts";
import { compareEffectiveRate, isUnlimited, type Limit } from "../limit.ts";
import { microsToSeconds } from "../../../kit/units.ts";
import { comparableMethod, isSamePath, type Matching } from "./endpoint.ts";
import type { Grant, MergedKey } from "./merge.ts";
import { nameOfEntry } from "./same-entry.ts";

type WhyNot =
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
  readonly where: string; // place in the configuration
  readonly rate: number | null; // null: there is no such limit
  readonly per: number | null; // seconds
  readonly reason: WhyNot;
  readonly text: string; // the reason as one sentence
}

interface ExplainedRequest {
  readonly api: ApiDefinition;
  readonly key: Key | null; // null: keyless
  readonly merged: MergedKey | null;
  readonly policies: ReadonlyMap<string, Policy>;
  readonly method: string;
  readonly path: string; // without the listen path
  readonly matching: Matching;
}

export function listUnmatched(request: ExplainedRequest): readonly Unmatched[] {
  const { api, key, merged, policies } = request;
  const ofApi = listUnmatchedOfApi(request);
  if (key === null || merged === null) return ofApi;
  const applied = key.applyPolicies.flatMap((id) => policies.get(id) ?? []);
  return [
    ...ofApi,
    ...(api.disableRateLimit ? [] : listUnmatchedOfGrant(request, merged)),
    ...applied.flatMap((policy) => listUnmatchedOfPolicy(request, policy, merged)),
    ...merged.missing.map((id) => unknownPolicy(id)),
    ...listUnmatchedOfKey(request, key, applied, merged),
  ];
}

const describe = ({ rate, perUs }: Limit): string =>
  rate < 0 ? "unlimited" : `${rate} per ${microsToSeconds(perUs)} s`;

const buildUnmatched = (
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

const isItsMethod = ({ method, matching }: ExplainedRequest, entry: EndpointLimit): boolean =>
  comparableMethod(entry.method, matching) === comparableMethod(method, matching);

const isMet = (request: ExplainedRequest, entry: EndpointLimit): boolean =>
  isItsMethod(request, entry) && isSamePath(entry.pattern, request.path, request.matching);

/** All entries that do not limit the request, each with the reason. */
function listUnmatchedEntries(
  request: ExplainedRequest,
  level: Scope,
  where: string,
  entries: readonly EndpointLimit[],
): readonly Unmatched[] {
  const met = entries.find((entry) => isMet(request, entry)) ?? null;
  return entries.flatMap((entry): readonly Unmatched[] => {
    const at = `${where}, endpoint ${nameOf(entry)}`;
    const not = (reason: WhyNot, text: string): Unmatched =>
      buildUnmatched(level, at, entry.limit, reason, text);
    if (entry === met)
      return isUnlimited(entry.limit)
        ? [not("unlimited", "rate -1 is unlimited and ends the search (LIM-C10)")]
        : [];
    if (!isItsMethod(request, entry))
      return [not("other_method", `it is for ${entry.method}, not for ${request.method}`)];
    if (!isSamePath(entry.pattern, request.path, request.matching))
      return [not("other_path", `${entry.pattern.text} does not match ${request.path}`)];
    return [not("behind_another_entry", `${nameOf(met!)} is tried before it and matches`)];
  });
}

// ---------------------------------------------------------------- limits of the API

function listUnmatchedOfApi(request: ExplainedRequest): readonly Unmatched[] {
  const { api } = request;
  const { globalRateLimit } = api;
  const where = `API ${api.id}`;
  const at = `${where}, global_rate_limit`;
  if (api.disableRateLimit) {
    const off = (level: Scope, place: string, limit: Limit | null): Unmatched =>
      buildUnmatched(
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
  const entries = listUnmatchedEntries(request, "api-endpoint", where, api.endpoints);
  const met = api.endpoints.find((entry) => isMet(request, entry));
  const leftOut = (api.leftOut ?? []).map((left) => buildOmitted(where, left));
  const isLeftOut = leftOut.some(({ level }) => level === "api");
  const global = isLeftOut ? [] : lessSpecific("api", at, globalRateLimit, met);
  return [...entries, ...leftOut, ...global];
}

function buildOmitted(at: string, { where, why }: OmittedLimit): Unmatched {
  const isGlobal = where === "global_rate_limit";
  const text =
    why === "disabled"
      ? "it is switched off (EPT-7)"
      : "a limit whose rate and per are both 0 does not exist (LIM-10)";
  const place = isGlobal ? where : `endpoint ${where}`;
  return buildUnmatched(isGlobal ? "api" : "api-endpoint", `${at}, ${place}`, null, why, text);
}

/** Why a limit does not apply: an endpoint's limit overrides it, or it is absent or unlimited. Empty if it applies. */
function lessSpecific(
  level: Scope,
  where: string,
  limit: Limit | null,
  met: EndpointLimit | undefined,
): readonly Unmatched[] {
  if (limit === null)
    return [buildUnmatched(level, where, null, "absent", "there is no such limit")];
  if (met !== undefined) {
    const text = `the limit of endpoint ${nameOf(met)} is more specific`;
    return [buildUnmatched(level, where, limit, "less_specific", text)];
  }
  if (!isUnlimited(limit)) return [];
  return [buildUnmatched(level, where, limit, "unlimited", "rate -1 is unlimited (LIM-C10)")];
}

// ---------------------------------------------------------------- the key merged with its policies

function listUnmatchedOfGrant(request: ExplainedRequest, merged: MergedKey): readonly Unmatched[] {
  const { api } = request;
  const grant = merged.grants.get(api.id);
  if (grant === undefined) return [];
  const where = "the key with its policies";
  const entries = listUnmatchedEntries(request, "key-endpoint", where, grant.endpoints);
  const met = grant.endpoints.find((entry) => isMet(request, entry));
  const own = grant.own?.limit ?? null;
  const at = `${where}, limit for API ${api.id}`;
  const ofApi = lessSpecific("key-api", at, own, met);
  const root = (grant.roots ?? merged).root?.limit ?? null;
  const rootAt = `${where}, root limit`;
  if (own === null || root === null)
    return [...entries, ...ofApi, ...lessSpecific("key", rootAt, root, met)];
  const text = `the limit for API ${api.id}, ${describe(own)}, is more specific`;
  return [...entries, ...ofApi, buildUnmatched("key", rootAt, root, "less_specific", text)];
}

// ---------------------------------------------------------------- candidates that lost the merge

const unknownPolicy = (id: string): Unmatched =>
  buildUnmatched("key", `policy ${id}`, null, "unknown_policy", "there is no such policy (LIM-C7)");

function listUnmatchedOfPolicy(
  request: ExplainedRequest,
  policy: Policy,
  merged: MergedKey,
): readonly Unmatched[] {
  const { api } = request;
  const where = `policy ${policy.id}`;
  const right = policy.accessRights.get(api.id);
  const unmatched: Unmatched[] = [];
  if (right === undefined) {
    const text = `it grants nothing at API ${api.id}`;
    unmatched.push(buildUnmatched("key-api", where, null, "no_access_right", text));
  }
  const { limit, supplies } = policy;
  const grant = merged.grants.get(api.id);
  const own = right?.limit ?? null;
  if (!supplies.rate) {
    const not = (level: Scope, place: string, limitThere: Limit): Unmatched =>
      buildUnmatched(level, `${where}, ${place}`, limitThere, "not_supplied", NOT_SUPPLIED);
    if (limit !== null) unmatched.push(not("key", "root limit", limit));
    if (own !== null) unmatched.push(not("key-api", `limit for API ${api.id}`, own));
    for (const entry of right?.endpoints ?? [])
      unmatched.push(not("key-endpoint", `endpoint ${nameOf(entry)}`, entry.limit));
    return unmatched;
  }
  const root = (grant?.roots ?? merged).root?.limit ?? null;
  if (limit !== null && limit !== root && isRulingRoot(api, policy, grant)) {
    unmatched.push(buildMergeLoss("key", `${where}, root limit`, limit, root!));
  }
  const winner = grant?.drawsOnRoot === true ? root : (grant?.own?.limit ?? null);
  if (own !== null && winner !== null && own !== winner)
    unmatched.push(buildMergeLoss("key-api", `${where}, limit for API ${api.id}`, own, winner));
  for (const entry of right?.endpoints ?? []) {
    const name = nameOfEntry(entry, request.matching);
    const best = grant?.endpoints.find((other) => nameOfEntry(other, request.matching) === name);
    if (best !== undefined && best !== entry)
      unmatched.push(
        buildMergeLoss(
          "key-endpoint",
          `${where}, endpoint ${nameOf(entry)}`,
          entry.limit,
          best.limit,
        ),
      );
  }
  return unmatched;
}

const NOT_SUPPLIED = "the partitions of the policy leave out rate_limit (LIM-C14)";

/** Whether a policy's root is a candidate. If policies have their own budgets, access rights, if any, name the API. */
const isRulingRoot = (
  { id }: ApiDefinition,
  { accessRights, supplies, limit }: Policy,
  grant: Grant | undefined,
): boolean =>
  supplies.rate &&
  limit !== null &&
  ((grant?.roots ?? null) === null || accessRights.size === 0 || accessRights.has(id));

function buildMergeLoss(level: Scope, where: string, limit: Limit, winner: Limit): Unmatched {
  const isTie = compareEffectiveRate(limit, winner) === 0;
  const text = isTie
    ? `${describe(winner)} is as fast and listed first (LIM-C4)`
    : `${describe(winner)} is the higher effective rate (LIM-5)`;
  return buildUnmatched(level, where, limit, "lost_the_merge", text);
}

function listUnmatchedOfKey(
  { api }: ExplainedRequest,
  key: Key,
  applied: readonly Policy[],
  merged: MergedKey,
): readonly Unmatched[] {
  if (applied.length === 0) return [];
  const unmatched: Unmatched[] = [];
  const where = `key ${key.id}`;
  const replaced = "replaced_by_policies";
  const grant = merged.grants.get(api.id);
  const root = (grant?.roots ?? merged).root;
  if (key.limit !== null && applied.some((policy) => isRulingRoot(api, policy, grant))) {
    const text = `a policy has a root limit, so ${describe(root!.limit)} applies (LIM-C5)`;
    unmatched.push(buildUnmatched("key", `${where}, root limit`, key.limit, replaced, text));
  }
  const right = key.accessRights?.get(api.id);
  const text = "access and its limits come from the policies alone (LIM-C5)";
  if (right !== undefined && right.limit !== null && right.limit !== grant?.own?.limit)
    unmatched.push(
      buildUnmatched("key-api", `${where}, limit for API ${api.id}`, right.limit, replaced, text),
    );
  for (const entry of right?.endpoints ?? [])
    if (grant?.endpoints.includes(entry) !== true)
      unmatched.push(
        buildUnmatched(
          "key-endpoint",
          `${where}, endpoint ${nameOf(entry)}`,
          entry.limit,
          replaced,
          text,
        ),
      );
  return unmatched;
}
