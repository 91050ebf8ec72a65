// Policies on one key become one set of rules (LIM-5, LIM-C4 to LIM-C7). Positions in the key's list
// decide ties and nothing else, so that the order of policies never matters otherwise.
import { BECAUSE } from "../because.ts";
import type {
  AccessRight,
  EndpointLimit,
  Key,
  MetaData,
  Policy,
  Quota,
  Throttle,
} from "../config.ts";
import { compareEffectiveRate, type Limit } from "../limit.ts";

export interface Candidate {
  readonly limit: Limit;
  readonly position: number;
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

/** What a key may do at one API, and where its count is kept. */
export interface Grant {
  readonly own: Candidate | null; // a per-API limit with a budget of its own (LIM-6)
  readonly drawsOnRoot: boolean;
  readonly endpoints: readonly EndpointLimit[]; // EPT-C5
  readonly unenforced: readonly string[];
}

export interface Merged {
  readonly missing: readonly string[]; // listed, but unknown (LIM-C7)
  readonly noneKnown: boolean; // policies are listed and none is known
  readonly inactive: boolean;
  readonly root: Candidate | null;
  readonly grants: ReadonlyMap<string, Grant>; // by API
  readonly quota: Quota | null;
  readonly throttle: Throttle | null;
}

export function merge(key: Key, policies: ReadonlyMap<string, Policy>): Merged {
  const known: Policy[] = [];
  const missing: string[] = [];
  for (const id of new Set(key.applyPolicies)) {
    const policy = policies.get(id);
    if (policy === undefined) missing.push(id);
    else known.push(policy);
  }
  if (known.length === 0) return own(key, missing);
  const roots = known.flatMap(({ limit }, position) =>
    limit === null ? [] : [{ limit, position, because: BECAUSE.policies }],
  );
  const root = fastest(roots) ?? ownRoot(key);
  const apis = new Set(known.flatMap((policy) => [...policy.accessRights.keys()]));
  return {
    missing,
    noneKnown: false,
    inactive: key.inactive || known.some((policy) => policy.inactive),
    root,
    grants: new Map([...apis].map((api) => [api, grantOf(api, known, root)])),
    quota: largestQuota(known) ?? key.quota,
    throttle: mostPatient(known) ?? key.throttle,
  };
}

const ownRoot = (key: Key): Candidate | null =>
  key.limit === null ? null : { limit: key.limit, position: 0, because: BECAUSE.keyAlone };

/** A key without a known policy stands for itself. */
function own(key: Key, missing: readonly string[]): Merged {
  const grants = [...(key.accessRights ?? [])].map(([api, right]): [string, Grant] => [
    api,
    {
      own:
        right.limit === null
          ? null
          : { limit: right.limit, position: 0, because: BECAUSE.keyAtApi },
      drawsOnRoot: right.limit === null,
      endpoints: right.endpoints,
      unenforced: right.unenforced,
    },
  ]);
  return {
    missing,
    noneKnown: missing.length > 0,
    inactive: key.inactive,
    root: ownRoot(key),
    grants: new Map(grants),
    quota: key.quota,
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

/** LIM-C6: a policy that grants the API without a limit of its own brings the merged root as a candidate. */
function grantOf(api: string, known: readonly Policy[], root: Candidate | null): Grant {
  const rights = known.flatMap((policy, position) => {
    const right = policy.accessRights.get(api);
    return right === undefined ? [] : [{ right, position }];
  });
  const candidates: Candidate[] = rights.flatMap(({ right, position }) =>
    right.limit === null ? [] : [{ limit: right.limit, position, because: BECAUSE.policiesAtApi }],
  );
  const withoutOwn = rights.find(({ right }) => right.limit === null);
  // Without any root the grant brings no candidate: what is not there takes no part (LIM-C4).
  const rootCandidate =
    withoutOwn === undefined || root === null ? null : { ...root, position: withoutOwn.position };
  const winner = fastest(rootCandidate === null ? candidates : [...candidates, rootCandidate]);
  return {
    own: winner === rootCandidate ? null : winner,
    drawsOnRoot: winner === rootCandidate,
    ...shared(rights.map(({ right }) => right)),
  };
}

function shared(rights: readonly AccessRight[]): Pick<Grant, "endpoints" | "unenforced"> {
  return {
    endpoints: mergeEndpoints(rights.map((right) => right.endpoints)),
    unenforced: [...new Set(rights.flatMap((right) => right.unenforced))],
  };
}

/** LIM-5's rule for each method and path; the order of evaluation is the order of first sight (EPT-C5). */
function mergeEndpoints(lists: readonly (readonly EndpointLimit[])[]): readonly EndpointLimit[] {
  const winners = new Map<string, EndpointLimit>();
  for (const entry of lists.flat()) {
    const name = `${entry.method} ${entry.pattern.text}`;
    const earlier = winners.get(name);
    if (earlier === undefined || compareEffectiveRate(entry.limit, earlier.limit) > 0)
      winners.set(name, entry);
  }
  return [...winners.values()];
}

/** The policy with the largest quota supplies it whole; -1 is larger than every number. */
function largestQuota(known: readonly Policy[]): Quota | null {
  let largest: Quota | null = null;
  for (const { quota } of known) {
    if (quota === null) continue;
    if (largest === null || (largest.max >= 0 && (quota.max < 0 || quota.max > largest.max)))
      largest = quota;
  }
  return largest;
}

function mostPatient(known: readonly Policy[]): Throttle | null {
  let most: Throttle | null = null;
  for (const { throttle } of known) {
    if (throttle !== null && (most === null || throttle.retryLimit > most.retryLimit))
      most = throttle;
  }
  return most;
}
