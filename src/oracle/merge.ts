// What a key is worth once its policies are laid over it (LIM-3 to LIM-6, LIM-C4 to LIM-C7, LIM-C9, LIM-C14, EPT-C5).
import type {
  AccessRight,
  Configuration,
  EndpointLimit,
  GatewayOptions,
  Key,
  Limit,
  MetaData,
  PARTS,
  Policy,
  Quota,
} from "./configured.ts";
import { spelt } from "./path.ts";
import { fastest, isFaster } from "./rates.ts";

/** Whose the budget is: of this API alone, the key's one for all APIs, or the key's for one policy (LIM-C6, apart). */
export type Source = "own" | "root" | { readonly policy: string };

export interface Chosen {
  readonly limit: Limit;
  readonly from: Source;
}

export interface ChosenQuota {
  readonly quota: Quota;
  readonly from: Source;
}

export interface Grant {
  readonly chosen: Chosen | null;
  readonly quotas: readonly ChosenQuota[]; // of the API before that of the key
  readonly endpoints: readonly EndpointLimit[];
  readonly isThrottled: boolean;
  readonly isUnenforced: boolean;
}

export interface Merged {
  /** Policies are named, and none of them exists (LIM-C7). */
  readonly lost: boolean;
  readonly inactive: boolean;
  readonly isUnenforced: boolean;
  readonly metaData: MetaData;
  readonly grantOf: (api: string) => Grant | null; // null: no access
}

export function merge(key: Key, { policies, options }: Configuration): Merged {
  const known = knownPolicies(key, policies);
  return {
    lost: key.applyPolicies.length > 0 && known.length === 0,
    inactive: key.isInactive || known.some((policy) => policy.isInactive),
    isUnenforced: key.isUnenforced,
    metaData: laidOver([key.metaData, ...known.map((policy) => policy.metaData)]),
    grantOf: (api) => {
      const rights = accessTo(api, key, known);
      if (rights.length === 0) return null;
      const laid = { api, key, known, isApart: options.policyBudgets === "apart", options };
      return { ...ratesOf(laid), quotas: quotasOf(laid), isUnenforced: rights.some(Boolean) };
    },
  };
}

export const knownPolicies = (key: Key, policies: Configuration["policies"]): readonly Policy[] =>
  key.applyPolicies.flatMap((id) => policies.get(id) ?? []);

/** Later ones win. Members are defined, not assigned, so that one called `__proto__` is like any other. */
const laidOver = (records: readonly MetaData[]): MetaData =>
  Object.fromEntries(records.flatMap((record) => Object.entries(record)));

const supplying = (known: readonly Policy[], part: (typeof PARTS)[number]): readonly Policy[] =>
  known.filter(({ supplies }) => supplies.has(part));

/**
 * One for each grant of the API: does it ask for what no gateway enforces? A signature that a policy asks for at an API is asked
 * for whatever else it supplies, because access never fails open (MGT-C8).
 */
function accessTo(api: string, key: Key, known: readonly Policy[]): readonly boolean[] {
  const granting = supplying(known, "acl");
  const holders = granting.length > 0 ? granting : [key];
  const rights = holders.flatMap(({ accessRights }) => accessRights.get(api) ?? []);
  const isSigned = known.some(
    ({ accessRights, isUnenforced }) => isUnenforced && accessRights.has(api),
  );
  return rights.map(({ isUnenforced }) => isSigned || isUnenforced);
}

/** A key and its policies, as one API sees them. */
export interface Laid {
  readonly api: string;
  readonly key: Key;
  readonly known: readonly Policy[];
  readonly isApart: boolean;
  readonly options: GatewayOptions;
}

export interface Candidate<T> {
  readonly policy: string;
  readonly from: Source;
  readonly of: T | null;
}

/** With budgets apart the root of a policy without any access takes part everywhere (LIM-C6); `per_api` leaves none (LIM-C14). */
const speaksOf = (api: string, { accessRights, isPerApi }: Policy): boolean =>
  accessRights.has(api) || (accessRights.size === 0 && !isPerApi);

/** What each policy that has a say offers the API; `offered` is what a right or a policy has of its kind. */
function offers<T>(
  { api, isApart }: Laid,
  policies: readonly Policy[],
  offered: (holder: AccessRight | Policy) => T | null,
  root: Pick<Candidate<T>, "from" | "of">,
): Candidate<T>[] {
  return policies.flatMap((policy): Candidate<T>[] => {
    const right = policy.accessRights.get(api);
    if (right === undefined && !(isApart && speaksOf(api, policy))) return [];
    const own = (right && offered(right)) ?? (policy.isPerApi ? offered(policy) : null);
    return own === null
      ? [{ policy: policy.id, ...root }]
      : [{ policy: policy.id, from: "own", of: own }];
  });
}

const roots = (policies: readonly Policy[]): readonly Policy[] =>
  policies.filter(({ isPerApi }) => !isPerApi);

/** Those whose root limits are merged. */
export const rootsOf = (known: readonly Policy[]): readonly Policy[] =>
  roots(supplying(known, "rate_limit"));

export const rateOffers = (laid: Laid): Candidate<Limit>[] =>
  offers(
    laid,
    supplying(laid.known, "rate_limit"),
    ({ limit }) => limit,
    laid.isApart ? rootAt(laid) : { from: "root", of: rootOf(laid) },
  );

/** With budgets apart: the merged root of the policies that speak of the API, counted with the one that it is taken from. */
function rootAt({ api, key, known }: Laid): Pick<Candidate<Limit>, "from" | "of"> {
  const speaking = rootsOf(known).filter((policy) => speaksOf(api, policy));
  const limit = fastest(speaking.flatMap((policy) => policy.limit ?? []));
  const policy = speaking.find((each) => each.limit !== null && each.limit === limit);
  return policy === undefined
    ? { from: "root", of: key.limit }
    : { from: { policy: policy.id }, of: policy.limit };
}

/** The merged root, or what stands instead of it (LIM-C5). */
export const rootOf = ({ key, known }: Laid): Limit | null =>
  fastest(rootsOf(known).flatMap(({ limit }) => limit ?? [])) ?? key.limit;

/** LIM-C6, LIM-C14: the fastest that is offered; where nobody has a say, what the key says itself. */
function ratesOf(laid: Laid): Pick<Grant, "chosen" | "endpoints" | "isThrottled"> {
  const { api, key, known, isApart, options } = laid;
  const supplied = supplying(known, "rate_limit");
  const theirs = supplied.flatMap(({ accessRights }) => accessRights.get(api) ?? []);
  const own = key.accessRights.get(api);
  const speaking = theirs.length > 0 || own === undefined ? theirs : [own];
  const offered = rateOffers(laid).flatMap(({ from, of }): Chosen[] =>
    of === null ? [] : [{ limit: of, from }],
  );
  const unspoken = theirs.length === 0 ? (own?.limit ?? null) : null;
  return {
    chosen:
      offered.reduce<Chosen | null>(
        (best, one) => (best === null || isFaster(one.limit, best.limit) ? one : best),
        null,
      ) ??
      chosenFrom(unspoken, "own") ??
      chosenFrom(isApart ? key.limit : rootOf(laid), "root"),
    endpoints: mergedEndpoints(speaking, options),
    isThrottled: [key, ...supplied, ...speaking].some((each) => each.isThrottled),
  };
}

const chosenFrom = (limit: Limit | null, from: Source): Chosen | null =>
  limit === null ? null : { limit, from };

const firstsOf = (entries: readonly EndpointLimit[], options: GatewayOptions): EndpointLimit[] => {
  const names = entries.map((entry) => spelt(entry, options));
  return entries.filter((_, index) => names.indexOf(names[index]!) === index);
};

/**
 * EPT-C5: one entry for all that name the same requests, at the place where it is first seen. Entries are tried in the
 * order of their list (EPT-3), so of one list only the first of each counts.
 */
function mergedEndpoints(rights: readonly AccessRight[], options: GatewayOptions): EndpointLimit[] {
  const all = rights.flatMap((right) => firstsOf(right.endpoints, options));
  return firstsOf(all, options).map((first) => {
    const alike = all.filter((entry) => spelt(entry, options) === spelt(first, options));
    return { ...first, limit: fastest(alike.map(({ limit }) => limit)) ?? first.limit };
  });
}

/** LIM-C9: the largest maximum with its own renewal; -1 is larger than any number, and then there is none. */
const largest = (offered: readonly ChosenQuota[]): ChosenQuota | undefined => {
  const size = ({ quota: { max } }: ChosenQuota): number =>
    max === -1 ? Number.POSITIVE_INFINITY : max;
  const most = Math.max(...offered.map(size));
  return offered.find((one) => size(one) === most);
};

/** A quota of the API, and one of the key or, with budgets apart, of a policy. */
function quotasOf(laid: Laid): readonly ChosenQuota[] {
  const { api, key, known, isApart } = laid;
  const supplied = supplying(known, "quota");
  const from = (source: Source, quota: Quota | null | undefined): ChosenQuota[] =>
    quota ? [{ quota, from: source }] : [];
  const offered = offers(laid, supplied, ({ quota }) => quota, {
    from: "root",
    of: null,
  }).flatMap((one) => from(one.from, one.of));
  const isSpoken = supplied.some(({ accessRights }) => accessRights.has(api));
  const narrow = isSpoken
    ? offered.filter((one) => one.from === "own")
    : from("own", key.accessRights.get(api)?.quota);
  // That of the API comes on top of the policy's own, and does not replace it.
  const wide = roots(supplied)
    .filter((policy) => !isApart || speaksOf(api, policy))
    .flatMap(({ id, quota }) => from(isApart ? { policy: id } : "root", quota));
  const found = [largest(narrow), largest(wide) ?? from("root", key.quota)[0]];
  return found.flatMap((one) => (one === undefined || one.quota.max === -1 ? [] : [one]));
}
