// The effective limits and rights of a key with its policies (LIM-3 to LIM-6, LIM-C4 to LIM-C7, LIM-C9, LIM-C14, EPT-C5).
import type {
  OracleAccessRight,
  OracleConfiguration,
  OracleEndpointLimit,
  OracleOptions,
  OracleKey,
  OracleLimit,
  OracleMetaData,
  PARTS,
  OraclePolicy,
  OracleQuota,
} from "./configured.ts";
import { spelt } from "./path.ts";
import { fastest, isFaster } from "./rates.ts";

/** The budget is of this API alone, the key's one for all APIs, or the key's for one policy (LIM-C6, apart). */
export type BudgetSource = "own" | "root" | { readonly policy: string };

interface ChosenLimit {
  readonly limit: OracleLimit;
  readonly from: BudgetSource;
}

interface ChosenQuota {
  readonly quota: OracleQuota;
  readonly from: BudgetSource;
}

export interface OracleGrant {
  readonly chosen: ChosenLimit | null;
  readonly quotas: readonly ChosenQuota[]; // of the API before that of the key
  readonly endpoints: readonly OracleEndpointLimit[];
  readonly isThrottled: boolean;
  readonly isUnenforced: boolean;
}

export interface Merged {
  /** The key names policies, and none of them exists (LIM-C7). */
  readonly lost: boolean;
  readonly inactive: boolean;
  readonly isUnenforced: boolean;
  readonly metaData: OracleMetaData;
  readonly grantOf: (api: string) => OracleGrant | null; // null: no access
}

export function merge(key: OracleKey, { policies: all, options }: OracleConfiguration): Merged {
  const policies = policiesOf(key, all);
  return {
    lost: key.applyPolicies.length > 0 && policies.length === 0,
    inactive: key.isInactive || policies.some((policy) => policy.isInactive),
    isUnenforced: key.isUnenforced,
    metaData: mergeMetaData([key.metaData, ...policies.map((policy) => policy.metaData)]),
    grantOf: (api) => {
      const rights = accessTo(api, key, policies);
      if (rights.length === 0) return null;
      const keyAtApi = {
        api,
        key,
        policies,
        isApart: options.policyBudgets === "apart",
        options,
      };
      return {
        ...ratesOf(keyAtApi),
        quotas: quotasOf(keyAtApi),
        isUnenforced: rights.some(Boolean),
      };
    },
  };
}

export const policiesOf = (
  key: OracleKey,
  policies: OracleConfiguration["policies"],
): readonly OraclePolicy[] => key.applyPolicies.flatMap((id) => policies.get(id) ?? []);

/** Later ones win. Fields are defined, not assigned, so that one called `__proto__` is like any other. */
const mergeMetaData = (records: readonly OracleMetaData[]): OracleMetaData =>
  Object.fromEntries(records.flatMap((record) => Object.entries(record)));

const supplying = (
  policies: readonly OraclePolicy[],
  part: (typeof PARTS)[number],
): readonly OraclePolicy[] => policies.filter(({ supplies }) => supplies.has(part));

/**
 * One for each grant of the API: does it have a restriction that no gateway enforces? A policy that requires signatures
 * at an API requires them whatever else it supplies, because access never fails open (MGT-C8).
 */
function accessTo(
  api: string,
  key: OracleKey,
  policies: readonly OraclePolicy[],
): readonly boolean[] {
  const granting = supplying(policies, "acl");
  const holders = granting.length > 0 ? granting : [key];
  const rights = holders.flatMap(({ accessRights }) => accessRights.get(api) ?? []);
  const isSigned = policies.some(
    ({ accessRights, isUnenforced }) => isUnenforced && accessRights.has(api),
  );
  return rights.map(({ isUnenforced }) => isSigned || isUnenforced);
}

/** A key and its policies, as one API sees them. */
export interface KeyAtApi {
  readonly api: string;
  readonly key: OracleKey;
  readonly policies: readonly OraclePolicy[];
  readonly isApart: boolean;
  readonly options: OracleOptions;
}

export interface PolicyOffer<T> {
  readonly policy: string;
  readonly from: BudgetSource;
  readonly of: T | null;
}

/** With budgets apart the root of a policy without any access takes part everywhere (LIM-C6); `per_api` leaves none (LIM-C14). */
const coversApi = (api: string, { accessRights, isPerApi }: OraclePolicy): boolean =>
  accessRights.has(api) || (accessRights.size === 0 && !isPerApi);

/** The offer of each policy that covers the API; `offered` is what a right or a policy has of its kind. */
function offers<T>(
  { api, isApart }: KeyAtApi,
  policies: readonly OraclePolicy[],
  offered: (holder: OracleAccessRight | OraclePolicy) => T | null,
  root: Pick<PolicyOffer<T>, "from" | "of">,
): PolicyOffer<T>[] {
  return policies.flatMap((policy): PolicyOffer<T>[] => {
    const right = policy.accessRights.get(api);
    if (right === undefined && !(isApart && coversApi(api, policy))) return [];
    const own = (right && offered(right)) ?? (policy.isPerApi ? offered(policy) : null);
    return own === null
      ? [{ policy: policy.id, ...root }]
      : [{ policy: policy.id, from: "own", of: own }];
  });
}

const roots = (policies: readonly OraclePolicy[]): readonly OraclePolicy[] =>
  policies.filter(({ isPerApi }) => !isPerApi);

/** The policies whose root limits are merged. */
export const rootsOf = (policies: readonly OraclePolicy[]): readonly OraclePolicy[] =>
  roots(supplying(policies, "rate_limit"));

export const rateOffers = (laid: KeyAtApi): PolicyOffer<OracleLimit>[] =>
  offers(
    laid,
    supplying(laid.policies, "rate_limit"),
    ({ limit }) => limit,
    laid.isApart ? rootAt(laid) : { from: "root", of: rootOf(laid) },
  );

/** With budgets apart: the merged root of the policies that cover the API, counted with the policy that it is from. */
function rootAt({ api, key, policies }: KeyAtApi): Pick<PolicyOffer<OracleLimit>, "from" | "of"> {
  const speaking = rootsOf(policies).filter((policy) => coversApi(api, policy));
  const limit = fastest(speaking.flatMap((policy) => policy.limit ?? []));
  const policy = speaking.find((each) => each.limit !== null && each.limit === limit);
  return policy === undefined
    ? { from: "root", of: key.limit }
    : { from: { policy: policy.id }, of: policy.limit };
}

/** The merged root, or its replacement (LIM-C5). */
const rootOf = ({ key, policies }: KeyAtApi): OracleLimit | null =>
  fastest(rootsOf(policies).flatMap(({ limit }) => limit ?? [])) ?? key.limit;

/** LIM-C6, LIM-C14: the fastest that is offered; if no policy covers the API, the key's own. */
function ratesOf(keyAtApi: KeyAtApi): Pick<OracleGrant, "chosen" | "endpoints" | "isThrottled"> {
  const { api, key, policies, isApart, options } = keyAtApi;
  const supplied = supplying(policies, "rate_limit");
  const policyRights = supplied.flatMap(({ accessRights }) => accessRights.get(api) ?? []);
  const keyRight = key.accessRights.get(api);
  const rights = policyRights.length > 0 || keyRight === undefined ? policyRights : [keyRight];
  const offered = rateOffers(keyAtApi).flatMap(({ from, of }): ChosenLimit[] =>
    of === null ? [] : [{ limit: of, from }],
  );
  const keyLimit = policyRights.length === 0 ? (keyRight?.limit ?? null) : null;
  return {
    chosen:
      offered.reduce<ChosenLimit | null>(
        (best, one) => (best === null || isFaster(one.limit, best.limit) ? one : best),
        null,
      ) ??
      chosenFrom(keyLimit, "own") ??
      chosenFrom(isApart ? key.limit : rootOf(keyAtApi), "root"),
    endpoints: mergeEndpoints(rights, options),
    isThrottled: [key, ...supplied, ...rights].some((each) => each.isThrottled),
  };
}

const chosenFrom = (limit: OracleLimit | null, from: BudgetSource): ChosenLimit | null =>
  limit === null ? null : { limit, from };

const firstsOf = (
  entries: readonly OracleEndpointLimit[],
  options: OracleOptions,
): OracleEndpointLimit[] => {
  const names = entries.map((entry) => spelt(entry, options));
  return entries.filter((_, index) => names.indexOf(names[index]!) === index);
};

/**
 * EPT-C5: one entry for all that name the same requests, at the place where it is first seen. The fastest supplies its
 * spelling too, which names the budget: keys that share a pattern share what comes from one policy. Entries are tried in
 * the order of their list (EPT-3), so of one list only the first of each counts.
 */
function mergeEndpoints(
  rights: readonly OracleAccessRight[],
  options: OracleOptions,
): OracleEndpointLimit[] {
  const candidates = rights.flatMap((right) => firstsOf(right.endpoints, options));
  return firstsOf(candidates, options).map((first) => {
    const alike = candidates.filter((entry) => spelt(entry, options) === spelt(first, options));
    const best = fastest(alike.map(({ limit }) => limit));
    return alike.find(({ limit }) => limit === best) ?? first;
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
function quotasOf(keyAtApi: KeyAtApi): readonly ChosenQuota[] {
  const { api, key, policies, isApart } = keyAtApi;
  const supplied = supplying(policies, "quota");
  const from = (source: BudgetSource, quota: OracleQuota | null | undefined): ChosenQuota[] =>
    quota ? [{ quota, from: source }] : [];
  const offered = offers(keyAtApi, supplied, ({ quota }) => quota, {
    from: "root",
    of: null,
  }).flatMap((one) => from(one.from, one.of));
  const isSpoken = supplied.some(({ accessRights }) => accessRights.has(api));
  const narrow = isSpoken
    ? offered.filter((one) => one.from === "own")
    : from("own", key.accessRights.get(api)?.quota);
  // The quota of the API is added to the policy's own, and does not replace it.
  const wide = roots(supplied)
    .filter((policy) => !isApart || coversApi(api, policy))
    .flatMap(({ id, quota }) => from(isApart ? { policy: id } : "root", quota));
  const chosen = [largest(narrow), largest(wide) ?? from("root", key.quota)[0]];
  return chosen.flatMap((one) => (one === undefined || one.quota.max === -1 ? [] : [one]));
}
