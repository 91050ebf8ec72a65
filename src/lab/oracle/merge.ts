// Effective limits and rights of a key with its policies (LIM-3 to LIM-6, LIM-C4 to LIM-C7, LIM-C9, LIM-C14, EPT-C5).
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

/** `own`: a budget of this API alone; `root`: of the key for all APIs; else of the key for one policy (LIM-C6). */
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
  readonly quotas: readonly ChosenQuota[]; // the API's quota before the key's
  readonly endpoints: readonly OracleEndpointLimit[];
  readonly isThrottled: boolean;
  readonly isUnenforced: boolean;
}

export interface Merged {
  /** True if the key names policies and none of them exists (LIM-C7). */
  readonly lost: boolean;
  readonly inactive: boolean;
  readonly isUnenforced: boolean;
  readonly metaData: OracleMetaData;
  readonly grantOf: (api: string) => OracleGrant | null; // null if the key has no access
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

/** Later records win. `fromEntries` defines fields, so that `__proto__` is an ordinary name. */
const mergeMetaData = (records: readonly OracleMetaData[]): OracleMetaData =>
  Object.fromEntries(records.flatMap((record) => Object.entries(record)));

const supplying = (
  policies: readonly OraclePolicy[],
  part: (typeof PARTS)[number],
): readonly OraclePolicy[] => policies.filter(({ supplies }) => supplies.has(part));

/**
 * For each grant of the API, whether it has a restriction that no gateway enforces. A policy can require signatures at
 * an API even if it does not supply access rights, because access never fails open (MGT-C8).
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

/** A key and its policies, as they apply at one API. */
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

/** With budgets apart, a policy without access rights covers every API (LIM-C6), unless it is `per_api` (LIM-C14). */
const coversApi = (api: string, { accessRights, isPerApi }: OraclePolicy): boolean =>
  accessRights.has(api) || (accessRights.size === 0 && !isPerApi);

/** What each policy that covers the API offers. `offered` selects the limit or quota of a right or a policy. */
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

/** With budgets apart: the merged root of the policies that cover the API, and the policy whose budget it is. */
function rootAt({ api, key, policies }: KeyAtApi): Pick<PolicyOffer<OracleLimit>, "from" | "of"> {
  const speaking = rootsOf(policies).filter((policy) => coversApi(api, policy));
  const limit = fastest(speaking.flatMap((policy) => policy.limit ?? []));
  const policy = speaking.find((each) => each.limit !== null && each.limit === limit);
  return policy === undefined
    ? { from: "root", of: key.limit }
    : { from: { policy: policy.id }, of: policy.limit };
}

/** The merged root limit, or the key's own limit if no policy has a root limit (LIM-C5). */
const rootOf = ({ key, policies }: KeyAtApi): OracleLimit | null =>
  fastest(rootsOf(policies).flatMap(({ limit }) => limit ?? [])) ?? key.limit;

/** LIM-C6, LIM-C14: the fastest limit offered; the key's own if no policy covers the API. */
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
 * EPT-C5: replaces entries for the same requests by the fastest one, at the position of the first. The budget is named
 * by the spelling of that entry, so keys with the same `rate_limit_pattern` share the budget of a policy's entry. In
 * one list the first entry for a request wins (EPT-3), so the later ones of the same list are not compared.
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

/** LIM-C9: the largest maximum, with its own renewal. -1 is larger than any number and means no quota. */
const largest = (offered: readonly ChosenQuota[]): ChosenQuota | undefined => {
  const size = ({ quota: { max } }: ChosenQuota): number =>
    max === -1 ? Number.POSITIVE_INFINITY : max;
  const most = Math.max(...offered.map(size));
  return offered.find((one) => size(one) === most);
};

/** The quota of the API, and the quota of the key or, with budgets apart, of a policy. */
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
  // A quota for all APIs applies in addition to the API's quota.
  const wide = roots(supplied)
    .filter((policy) => !isApart || coversApi(api, policy))
    .flatMap(({ id, quota }) => from(isApart ? { policy: id } : "root", quota));
  const chosen = [largest(narrow), largest(wide) ?? from("root", key.quota)[0]];
  return chosen.flatMap((one) => (one === undefined || one.quota.max === -1 ? [] : [one]));
}
