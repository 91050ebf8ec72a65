// Merges the policies of a key into one set of rules (LIM-5, LIM-C4 to LIM-C7). The order of policies in the key's list
// matters only for ties.
import { BECAUSE } from "../because.ts";
import type {
  AccessRight,
  EndpointLimit,
  GatewayOptions,
  Key,
  MetaData,
  Policy,
  Quota,
  Throttle,
} from "../config.ts";
import { compareEffectiveRate, type Limit } from "../limit.ts";
import { EXACT_MATCHING, type Matching } from "./endpoint.ts";
import { nameOfEntry } from "./same-entry.ts";

export interface LimitCandidate {
  readonly limit: Limit;
  readonly position: number;
  readonly policy: string | null; // the policy that supplies it; null: the key itself
  readonly because: readonly string[];
}

/** The candidate with the highest effective rate supplies the whole limit; of equal ones, the first listed does. */
export function fastest(candidates: readonly LimitCandidate[]): LimitCandidate | null {
  let best: LimitCandidate | null = null;
  for (const candidate of candidates)
    if (best === null || isBefore(candidate, best)) best = candidate;
  return best;
}

function isBefore(one: LimitCandidate, other: LimitCandidate): boolean {
  const order = compareEffectiveRate(one.limit, other.limit);
  return order > 0 || (order === 0 && one.position < other.position);
}

/** The merged root fields of a key and its policies. */
export interface Roots {
  readonly root: LimitCandidate | null;
  readonly quota: Quota | null;
  readonly quotaOf: string | null; // the policy that supplies the quota; null: the key itself
  readonly throttle: Throttle | null;
}

/** A key's access to one API, and the limits that apply there. */
export interface Grant {
  readonly own: LimitCandidate | null; // a per-API limit with a budget of its own (LIM-6)
  readonly drawsOnRoot: boolean;
  readonly endpoints: readonly EndpointLimit[]; // the endpoint limits that apply after the merge (EPT-C5)
  readonly quota: Quota | null; // of this API alone (LIM-C9)
  readonly throttle: Throttle | null; // replaces the key's throttling
  readonly unenforced: readonly string[];
  readonly roots: Roots | null; // used instead of the key's roots if each policy has its own budgets (LIM-C6)
}

export interface MergedKey extends Roots {
  readonly missing: readonly string[]; // ids of policies that the key lists but that do not exist (LIM-C7)
  readonly hasNoKnownPolicy: boolean; // policies are listed and none is known
  readonly inactive: boolean;
  readonly grants: ReadonlyMap<string, Grant>; // by API
}

/** The gateway options that affect a merge. */
type MergeOptions = Pick<GatewayOptions, "policyBudgets"> & Matching;
const MERGED: MergeOptions = { policyBudgets: "merged", ...EXACT_MATCHING };

export const throttleAt = (merged: MergedKey, grant: Grant): Throttle | null =>
  grant.throttle ?? (grant.roots ?? merged).throttle;

export function merge(
  key: Key,
  policies: ReadonlyMap<string, Policy>,
  options: MergeOptions = MERGED,
): MergedKey {
  const applied: Policy[] = [];
  const missing: string[] = [];
  for (const id of new Set(key.applyPolicies)) {
    const policy = policies.get(id);
    if (policy === undefined) missing.push(id);
    else applied.push(policy);
  }
  if (applied.length === 0) return mergeAlone(key, missing);
  const roots = rootsOf(key, applied);
  const grantAt = (api: string): Grant => {
    if (options.policyBudgets === "merged") return grantOf(api, applied, roots.root, key, options);
    const applicable = applied
      .map((policy) => atApi(policy, api))
      .filter((policy) => policy !== null);
    const apart = rootsOf(key, applicable);
    // A policy without access rights supplies only its root, so endpoints, quota and throttling stay the key's
    // (LIM-C14).
    const { endpoints, quota, throttle } = grantOf(api, applied, apart.root, key, options);
    const granted = grantOf(api, applicable, apart.root, key, options);
    return { ...granted, endpoints, quota, throttle, roots: apart };
  };
  return {
    ...roots,
    missing,
    hasNoKnownPolicy: false,
    inactive: key.inactive || applied.some((policy) => policy.inactive),
    grants: new Map([...apisOf(key, applied)].map((api) => [api, grantAt(api)])),
  };
}

/** The APIs of the policies that supply access; without such a policy, the APIs of the key itself (LIM-C14). */
function apisOf(key: Key, applied: readonly Policy[]): ReadonlySet<string> {
  const granting = applied.filter(({ supplies }) => supplies.access);
  return new Set(
    granting.length === 0
      ? (key.accessRights?.keys() ?? [])
      : granting.flatMap(({ accessRights }) => [...accessRights.keys()]),
  );
}

/**
 * The policy as the merge for one API uses it, if each policy has its own budgets (LIM-C6); null: not at all. The merge
 * uses a policy without access rights but with a rate or a quota at every API to which other policies grant access.
 */
function atApi(policy: Policy, api: string): Policy | null {
  const { accessRights, limit, quota, supplies } = policy;
  if (accessRights.size > 0) return accessRights.has(api) ? policy : null;
  const right = { limit: null, quota: null, throttle: null, endpoints: [], unenforced: [] };
  return {
    ...policy,
    supplies: {
      access: false,
      rate: supplies.rate && limit !== null,
      quota: supplies.quota && quota !== null,
    },
    accessRights: new Map([[api, right]]),
  };
}

const suppliers = (applied: readonly Policy[], what: "rate" | "quota"): readonly Policy[] =>
  applied.filter(({ supplies }) => supplies[what]);

function rootsOf(key: Key, applied: readonly Policy[]): Roots {
  const roots = applied.flatMap(({ id, supplies, limit }, position) =>
    limit === null || !supplies.rate
      ? []
      : [{ limit, position, policy: id, because: BECAUSE.policies }],
  );
  const counting = suppliers(applied, "quota");
  const quota = largestQuota(counting);
  return {
    root: fastest(roots) ?? ownRoot(key),
    quota: quota ?? key.quota,
    quotaOf: counting.find((policy) => quota !== null && policy.quota === quota)?.id ?? null,
    throttle: mostPatient(suppliers(applied, "rate")) ?? key.throttle,
  };
}

const ownRoot = (key: Key): LimitCandidate | null =>
  key.limit === null
    ? null
    : {
        limit: key.limit,
        position: 0,
        policy: null,
        because: key.applyPolicies.length === 0 ? BECAUSE.keyAlone : BECAUSE.keyBesidePolicies,
      };

const ownAtApi = (right: AccessRight | undefined): LimitCandidate | null =>
  right === undefined || right.limit === null
    ? null
    : { limit: right.limit, position: 0, policy: null, because: BECAUSE.keyAtApi };

/** The rules of a key without a known policy. */
function mergeAlone(key: Key, missing: readonly string[]): MergedKey {
  const grants = [...(key.accessRights ?? [])].map(([api, right]): [string, Grant] => [
    api,
    {
      own: ownAtApi(right),
      drawsOnRoot: right.limit === null,
      endpoints: right.endpoints,
      quota: right.quota,
      throttle: right.throttle,
      unenforced: right.unenforced,
      roots: null,
    },
  ]);
  return {
    missing,
    hasNoKnownPolicy: missing.length > 0,
    inactive: key.inactive,
    root: ownRoot(key),
    grants: new Map(grants),
    quota: key.quota,
    quotaOf: null,
    throttle: key.throttle,
  };
}

/** Policies override the key, and later policies override earlier ones (LIM-C8). All fields are own properties. */
export function mergeMetaData(key: Key, policies: ReadonlyMap<string, Policy>): MetaData {
  const sources: MetaData[] = [key.metaData];
  for (const id of key.applyPolicies) {
    const policy = policies.get(id);
    if (policy !== undefined) sources.push(policy.metaData);
  }
  return sources.length === 1
    ? key.metaData
    : Object.fromEntries(sources.flatMap((source) => Object.entries(source)));
}

interface PolicyRight {
  readonly policy: Policy;
  readonly position: number;
  readonly right: AccessRight;
}

/** A key's access to an API. Rules of policies replace the key's own, separately for rates and quotas (LIM-C14). */
function grantOf(
  api: string,
  applied: readonly Policy[],
  root: LimitCandidate | null,
  key: Key,
  matching: Matching = EXACT_MATCHING,
): Grant {
  const rights = applied.flatMap((policy, position): readonly PolicyRight[] => {
    const right = policy.accessRights.get(api);
    return right === undefined ? [] : [{ policy, position, right }];
  });
  const rating = rights.filter(({ policy }) => policy.supplies.rate);
  const counting = rights.filter(({ policy }) => policy.supplies.quota);
  const ofKey = key.accessRights?.get(api);
  const winner = rating.length === 0 ? ownAtApi(ofKey) : ownLimitOf(rating, root);
  const isGranted = applied.some(({ supplies }) => supplies.access);
  const required = rights.flatMap(({ right }) => right.unenforced);
  return {
    own: winner,
    drawsOnRoot: winner === null,
    endpoints:
      rating.length === 0
        ? (ofKey?.endpoints ?? [])
        : mergeEndpoints(
            rating.map(({ right }) => right.endpoints),
            matching,
          ),
    quota:
      counting.length === 0
        ? (ofKey?.quota ?? null)
        : largestQuota(counting.map(({ right }) => right)),
    throttle:
      rating.length === 0
        ? (ofKey?.throttle ?? null)
        : mostPatient(rating.map(({ right }) => right)),
    unenforced: [...new Set(isGranted ? required : [...required, ...(ofKey?.unenforced ?? [])])],
    roots: null,
  };
}

/** The API's own limit: the merged root competes for policies without one (LIM-C6). Null: the root's budget applies. */
function ownLimitOf(
  rights: readonly PolicyRight[],
  root: LimitCandidate | null,
): LimitCandidate | null {
  const candidates: LimitCandidate[] = rights.flatMap(({ policy, position, right }) =>
    right.limit === null
      ? []
      : [{ limit: right.limit, position, policy: policy.id, because: BECAUSE.policiesAtApi }],
  );
  const withoutOwn = rights.find(({ right }) => right.limit === null);
  // Without a root limit, such a policy supplies no candidate: an absent limit has no part in a merge (LIM-C4).
  const rootCandidate =
    withoutOwn === undefined || root === null ? null : { ...root, position: withoutOwn.position };
  const winner = fastest(rootCandidate === null ? candidates : [...candidates, rootCandidate]);
  return winner === rootCandidate ? null : winner;
}

/**
 * The fastest limit (LIM-5) for each method and path that the gateway treats as equal (EPT-C7), in the order of first
 * occurrence (EPT-C5). In one list only the first of equal entries matches (EPT-3), so the others are no candidates.
 */
function mergeEndpoints(
  lists: readonly (readonly EndpointLimit[])[],
  matching: Matching,
): readonly EndpointLimit[] {
  const winners = new Map<string, EndpointLimit>();
  for (const entry of lists.flatMap((list) => firstsOf(list, matching))) {
    const name = nameOfEntry(entry, matching);
    const earlier = winners.get(name);
    if (earlier === undefined || compareEffectiveRate(entry.limit, earlier.limit) > 0)
      winners.set(name, entry);
  }
  return [...winners.values()];
}

function firstsOf(list: readonly EndpointLimit[], matching: Matching): readonly EndpointLimit[] {
  const names = new Set<string>();
  return list.filter((entry) => names.size < names.add(nameOfEntry(entry, matching)).size);
}

/** The largest quota applies with all its fields; -1 is larger than every number (LIM-C9). */
function largestQuota(all: readonly { readonly quota: Quota | null }[]): Quota | null {
  let largest: Quota | null = null;
  for (const { quota } of all) {
    if (quota === null) continue;
    if (largest === null || (largest.max >= 0 && (quota.max < 0 || quota.max > largest.max)))
      largest = quota;
  }
  return largest;
}

function mostPatient(all: readonly { readonly throttle: Throttle | null }[]): Throttle | null {
  let most: Throttle | null = null;
  for (const { throttle } of all) {
    if (throttle !== null && (most === null || throttle.retryLimit > most.retryLimit))
      most = throttle;
  }
  return most;
}
