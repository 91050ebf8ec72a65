// What a key is worth once its policies are laid over it (LIM-3 to LIM-6, LIM-C4 to LIM-C7, EPT-C5).
import type {
  AccessRight,
  Configuration,
  EndpointLimit,
  Key,
  Policy,
  Quota,
} from "../core/config.ts";
import type { Limit } from "../core/limit.ts";
import { fastest, isFaster } from "./rates.ts";

/** A limit, and whether it is counted for this API alone or on the key's one budget. */
export interface Chosen {
  readonly limit: Limit;
  readonly own: boolean;
}

export interface Grant {
  readonly chosen: Chosen | null;
  readonly endpoints: readonly EndpointLimit[];
  readonly unenforced: boolean;
}

export interface Merged {
  /** Policies are named, and none of them exists (LIM-C7). */
  readonly lost: boolean;
  readonly inactive: boolean;
  readonly unenforced: boolean;
  readonly quota: Quota | null;
  readonly throttled: boolean;
  readonly metaData: Readonly<Record<string, unknown>>;
  readonly grantOf: (api: string) => Grant | null; // null: no access
}

export function merge(key: Key, configuration: Configuration): Merged {
  const known = key.applyPolicies
    .map((id) => configuration.policies.get(id))
    .filter((policy) => policy !== undefined);
  const rootLimits = known.map((policy) => policy.limit).filter((limit) => limit !== null);
  const root = rootLimits.length > 0 ? fastest(rootLimits) : key.limit;
  const governed = known.length > 0;
  return {
    lost: key.applyPolicies.length > 0 && !governed,
    inactive: key.inactive || known.some((policy) => policy.inactive),
    unenforced: key.unenforced.length > 0,
    quota: quotaOf(key, known),
    throttled: key.throttle !== null || known.some((policy) => policy.throttle !== null),
    metaData: laidOver([key.metaData, ...known.map((policy) => policy.metaData)]),
    grantOf: (api) => (governed ? grantOfPolicies(known, api, root) : grantOfKey(key, api, root)),
  };
}

/** Later ones win. Members are defined, not assigned, so that one called `__proto__` is like any other. */
const laidOver = (records: readonly Key["metaData"][]): Key["metaData"] =>
  Object.fromEntries(records.flatMap((record) => Object.entries(record)));

function grantOfKey(key: Key, api: string, root: Limit | null): Grant | null {
  const right = key.accessRights?.get(api);
  if (right === undefined) return null;
  return {
    chosen: choose(right.limit, root),
    endpoints: right.endpoints,
    unenforced: right.unenforced.length > 0,
  };
}

const choose = (own: Limit | null, root: Limit | null): Chosen | null => {
  if (own !== null) return { limit: own, own: true };
  return root === null ? null : { limit: root, own: false };
};

/**
 * LIM-C6: candidates in the order of the policies; the root stands where the first policy without an own limit
 * stands, and once more at each other one, where it is no faster than itself.
 */
function grantOfPolicies(
  policies: readonly Policy[],
  api: string,
  root: Limit | null,
): Grant | null {
  const rights = policies
    .map((policy) => policy.accessRights.get(api))
    .filter((right) => right !== undefined);
  if (rights.length === 0) return null;
  const candidates = rights.map((right) => choose(right.limit, root));
  const chosen = candidates
    .filter((candidate) => candidate !== null)
    .reduce<Chosen | null>(
      (best, one) => (best === null || isFaster(one.limit, best.limit) ? one : best),
      null,
    );
  return {
    chosen,
    endpoints: mergedEndpoints(rights),
    unenforced: rights.some((right) => right.unenforced.length > 0),
  };
}

/** EPT-C5: one entry for each method and pattern, at the place where it is first seen. */
function mergedEndpoints(rights: readonly AccessRight[]): EndpointLimit[] {
  const all = rights.flatMap((right) => right.endpoints);
  const isSame = (a: EndpointLimit, b: EndpointLimit): boolean =>
    a.method === b.method && a.pattern.text === b.pattern.text;
  const firsts = all.filter(
    (entry, index) => all.findIndex((other) => isSame(other, entry)) === index,
  );
  return firsts.map((first) => {
    const limit = fastest(all.filter((entry) => isSame(entry, first)).map((entry) => entry.limit));
    return { ...first, limit: limit ?? first.limit };
  });
}

/** LIM-C9: the largest maximum with its own renewal; -1 is larger than any number. */
function quotaOf(key: Key, policies: readonly Policy[]): Quota | null {
  const quotas = policies.map((policy) => policy.quota).filter((quota) => quota !== null);
  const size = ({ max }: Quota): number => (max === -1 ? Number.POSITIVE_INFINITY : max);
  const largest = quotas.reduce<Quota | null>(
    (best, quota) => (best === null || size(quota) > size(best) ? quota : best),
    null,
  );
  const ruling = largest ?? key.quota;
  return ruling === null || ruling.max === -1 ? null : ruling;
}
