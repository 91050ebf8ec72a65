// Policies on one key become one set of rules (LIM-5, LIM-C4 to LIM-C7). Positions in the key's list
// decide ties and nothing else, so that the order of policies never matters otherwise.
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
import { EXACTLY, type Matching } from "./endpoint.ts";
import { nameOfEntry } from "./same-entry.ts";

export interface Candidate {
  readonly limit: Limit;
  readonly position: number;
  readonly policy: string | null; // that supplies it; null: the key itself
  readonly because: readonly string[];
}

/** The highest effective rate supplies everything; at a tie whoever is listed first stays. */
export function fastest(candidates: readonly Candidate[]): Candidate | null {
  let best: Candidate | null = null;
  for (const candidate of candidates)
    if (best === null || isBefore(candidate, best)) best = candidate;
  return best;
}

function isBefore(one: Candidate, other: Candidate): boolean {
  const order = compareEffectiveRate(one.limit, other.limit);
  return order > 0 || (order === 0 && one.position < other.position);
}

/** What the root fields of a key and its policies merge into. */
export interface Roots {
  readonly root: Candidate | null;
  readonly quota: Quota | null;
  readonly quotaOf: string | null; // the policy that supplies the quota; null: the key itself
  readonly throttle: Throttle | null;
}

/** What a key may do at one API, and which budgets count it. */
export interface Grant {
  readonly own: Candidate | null; // a per-API limit with a budget of its own (LIM-6)
  readonly drawsOnRoot: boolean;
  readonly endpoints: readonly EndpointLimit[]; // EPT-C5
  readonly quota: Quota | null; // of this API alone (LIM-C9)
  readonly throttle: Throttle | null; // instead of the key's
  readonly unenforced: readonly string[];
  readonly roots: Roots | null; // instead of the key's, where the budgets of policies are apart (LIM-C6)
}

export interface Merged extends Roots {
  readonly missing: readonly string[]; // listed, but unknown (LIM-C7)
  readonly noneKnown: boolean; // policies are listed and none is known
  readonly inactive: boolean;
  readonly grants: ReadonlyMap<string, Grant>; // by API
}

/** What of the gateway's options has a say. */
export type MergeOptions = Pick<GatewayOptions, "policyBudgets"> & Matching;
const MERGED: MergeOptions = { policyBudgets: "merged", ...EXACTLY };

export const throttleAt = (merged: Merged, grant: Grant): Throttle | null =>
  grant.throttle ?? (grant.roots ?? merged).throttle;

export function merge(
  key: Key,
  policies: ReadonlyMap<string, Policy>,
  options: MergeOptions = MERGED,
): Merged {
  const known: Policy[] = [];
  const missing: string[] = [];
  for (const id of new Set(key.applyPolicies)) {
    const policy = policies.get(id);
    if (policy === undefined) missing.push(id);
    else known.push(policy);
  }
  if (known.length === 0) return own(key, missing);
  const roots = rootsOf(key, known);
  const grantAt = (api: string): Grant => {
    if (options.policyBudgets === "merged") return grantOf(api, known, roots.root, key, options);
    const ruling = known.map((policy) => atApi(policy, api)).filter((policy) => policy !== null);
    const apart = rootsOf(key, ruling);
    // A policy without any access brings its root alone: what the key has at the API stands (LIM-C14).
    const { endpoints, quota, throttle } = grantOf(api, known, apart.root, key, options);
    const granted = grantOf(api, ruling, apart.root, key, options);
    return { ...granted, endpoints, quota, throttle, roots: apart };
  };
  return {
    ...roots,
    missing,
    noneKnown: false,
    inactive: key.inactive || known.some((policy) => policy.inactive),
    grants: new Map([...apisOf(key, known)].map((api) => [api, grantAt(api)])),
  };
}

/** The access rights of the key itself stand unless a policy supplies some (LIM-C14). */
function apisOf(key: Key, known: readonly Policy[]): ReadonlySet<string> {
  const granting = known.filter(({ supplies }) => supplies.access);
  return new Set(
    granting.length === 0
      ? (key.accessRights?.keys() ?? [])
      : granting.flatMap(({ accessRights }) => [...accessRights.keys()]),
  );
}

/**
 * A policy as it takes part in the merge for one API if budgets are apart (LIM-C6); null: it does not. With a rate or
 * a quota and without any access it takes part wherever others grant access.
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

const suppliers = (known: readonly Policy[], what: "rate" | "quota"): readonly Policy[] =>
  known.filter(({ supplies }) => supplies[what]);

function rootsOf(key: Key, known: readonly Policy[]): Roots {
  const roots = known.flatMap(({ id, supplies, limit }, position) =>
    limit === null || !supplies.rate
      ? []
      : [{ limit, position, policy: id, because: BECAUSE.policies }],
  );
  const counting = suppliers(known, "quota");
  const quota = largestQuota(counting);
  return {
    root: fastest(roots) ?? ownRoot(key),
    quota: quota ?? key.quota,
    quotaOf: counting.find((policy) => quota !== null && policy.quota === quota)?.id ?? null,
    throttle: mostPatient(suppliers(known, "rate")) ?? key.throttle,
  };
}

const ownRoot = (key: Key): Candidate | null =>
  key.limit === null
    ? null
    : { limit: key.limit, position: 0, policy: null, because: BECAUSE.keyAlone };

const ownAtApi = (right: AccessRight | undefined): Candidate | null =>
  right === undefined || right.limit === null
    ? null
    : { limit: right.limit, position: 0, policy: null, because: BECAUSE.keyAtApi };

/** A key without a known policy stands for itself. */
function own(key: Key, missing: readonly string[]): Merged {
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
    noneKnown: missing.length > 0,
    inactive: key.inactive,
    root: ownRoot(key),
    grants: new Map(grants),
    quota: key.quota,
    quotaOf: null,
    throttle: key.throttle,
  };
}

/** Policies are laid over the key, later ones over earlier ones (LIM-C8); every member stays an own one. */
export function mergedMetaData(key: Key, policies: ReadonlyMap<string, Policy>): MetaData {
  const sources: MetaData[] = [key.metaData];
  for (const id of key.applyPolicies) {
    const policy = policies.get(id);
    if (policy !== undefined) sources.push(policy.metaData);
  }
  return sources.length === 1
    ? key.metaData
    : Object.fromEntries(sources.flatMap((source) => Object.entries(source)));
}

interface RightOf {
  readonly policy: Policy;
  readonly position: number;
  readonly right: AccessRight;
}

/**
 * What the policies that name an API supply for it replaces what the key itself has there, rates and quotas each by
 * themselves (LIM-C14).
 */
function grantOf(
  api: string,
  known: readonly Policy[],
  root: Candidate | null,
  key: Key,
  matching: Matching = EXACTLY,
): Grant {
  const rights = known.flatMap((policy, position): readonly RightOf[] => {
    const right = policy.accessRights.get(api);
    return right === undefined ? [] : [{ policy, position, right }];
  });
  const rating = rights.filter(({ policy }) => policy.supplies.rate);
  const counting = rights.filter(({ policy }) => policy.supplies.quota);
  const ofKey = key.accessRights?.get(api);
  const winner = rating.length === 0 ? ownAtApi(ofKey) : ownLimitOf(rating, root);
  const isGranted = known.some(({ supplies }) => supplies.access);
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

/** LIM-C6: one without a limit of its own for the API brings the merged root. Null: the API draws on the root. */
function ownLimitOf(rights: readonly RightOf[], root: Candidate | null): Candidate | null {
  const candidates: Candidate[] = rights.flatMap(({ policy, position, right }) =>
    right.limit === null
      ? []
      : [{ limit: right.limit, position, policy: policy.id, because: BECAUSE.policiesAtApi }],
  );
  const withoutOwn = rights.find(({ right }) => right.limit === null);
  // Without any root the grant brings no candidate: what is not there takes no part (LIM-C4).
  const rootCandidate =
    withoutOwn === undefined || root === null ? null : { ...root, position: withoutOwn.position };
  const winner = fastest(rootCandidate === null ? candidates : [...candidates, rootCandidate]);
  return winner === rootCandidate ? null : winner;
}

/**
 * LIM-5's rule for each method and path that the gateway takes for one (EPT-C7); the order of evaluation is the order of
 * first sight (EPT-C5). Within one list the entry listed first is the one that is matched (EPT-3), so a later one of the
 * same name takes no part.
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

/** The largest quota is taken whole; -1 is larger than every number (LIM-C9). */
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
