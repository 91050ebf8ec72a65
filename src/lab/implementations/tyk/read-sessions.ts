// Policies and keys of Tyk: the limits that a key has at each API after its policies are merged.
import { childrenOf, textIn, type YamlNode } from "../yaml-tree.ts";
import type { TykDocument } from "./read-documents.ts";
import { metadataIn, type ClientPattern, type Metadata } from "./read-pattern.ts";
import {
  fieldOf,
  isTrue,
  limitIn,
  noLimit,
  patternTest,
  readAt,
  spacingOf,
  type TykContext,
  type TykEndpoint,
  type TykLimit,
} from "./read-limits.ts";

interface TykAccess {
  readonly node: YamlNode;
  readonly limit: TykLimit | null; // of this API alone
  readonly endpoints: readonly TykEndpoint[];
}

/** A policy or a key: what it allots to each of its APIs. */
export interface TykAllotment {
  readonly id: string;
  readonly name: string;
  readonly type: "policy" | "key";
  readonly credential: string; // of a key; empty: no file has it
  readonly node: YamlNode;
  readonly file: string;
  readonly isPerApi: boolean;
  readonly supplies: { readonly access: boolean; readonly rate: boolean; readonly quota: boolean };
  readonly root: TykLimit | null;
  readonly access: ReadonlyMap<string, TykAccess>; // by the id or the name of an API
  readonly policies: readonly string[]; // of a key
  readonly isActive: boolean;
  readonly metadata: Metadata;
}

export function readAllotment(
  { node, file, name, type, credential }: TykDocument,
  context: TykContext,
): TykAllotment {
  const partitions = readAt(node, "partitions", context);
  const part = (field: string): boolean => isTrue(readAt(partitions, field, context));
  const [acl, rate, quota, complexity, isPerApi] = [
    "acl",
    "rate_limit",
    "quota",
    "complexity",
    "per_api",
  ].map(part) as [boolean, boolean, boolean, boolean, boolean];
  const isPart = acl || rate || quota || complexity;
  if (isPart && isPerApi)
    context.problems.push(
      `${file}:${partitions!.line}: per_api cannot be combined with acl, rate_limit, quota or complexity; Tyk rejects such keys`,
    );
  readAt(node, "meta_data.rate_limit_pattern", context);
  const policies = readAt(node, "apply_policies", context)?.items?.map(textIn) ?? [];
  const single = textIn(readAt(node, "apply_policy_id", context));
  return {
    id: name,
    name: textIn(fieldOf(node, "name")) || textIn(fieldOf(node, "alias")) || name,
    type: type === "key" ? "key" : "policy",
    credential,
    node,
    file,
    isPerApi,
    supplies: isPart ? { access: acl, rate, quota } : { access: true, rate: true, quota: true },
    root: limitIn(node, file, context),
    access: accessIn(node, file, context),
    policies: policies.length > 0 || single === "" ? policies : [single],
    metadata: metadataIn(fieldOf(node, "meta_data")),
    isActive:
      !isTrue(readAt(node, "is_inactive", context)) &&
      !/^(?:deny|draft)$/.test(textIn(readAt(node, "state", context))),
  };
}

function accessIn(
  node: YamlNode,
  file: string,
  context: TykContext,
): ReadonlyMap<string, TykAccess> {
  const list = readAt(node, "access_rights_array", context); // the same, as dashboards export it
  const rights = readAt(node, "access_rights", context) ?? list;
  if (list !== null && rights !== list) context.notes.noteAll(list, "irrelevant");
  const access = new Map<string, TykAccess>();
  for (const right of [...(rights?.fields?.values() ?? []), ...(rights?.items ?? [])]) {
    const id =
      right.name || textIn(readAt(right, "api_id", context)) || textIn(fieldOf(right, "name"));
    context.notes.note(right, "read");
    const urls = fieldOf(right, "allowed_urls");
    if ((urls?.items?.length ?? 0) > 0)
      context.notes.note(
        urls!,
        "not understood",
        "other requests are rejected before a limit, and counted here",
      );
    access.set(id, {
      node: right,
      limit: limitIn(readAt(right, "limit", context), file, context),
      endpoints: endpointsIn(readAt(right, "endpoints", context), file, context),
    });
  }
  return access;
}

function endpointsIn(
  list: YamlNode | null,
  file: string,
  context: TykContext,
): readonly TykEndpoint[] {
  return (list?.items ?? []).flatMap((item) => {
    for (const field of childrenOf(item)) context.notes.noteAll(field, "read");
    const path = textIn(fieldOf(item, "path"));
    const test = patternTest(item, path, context);
    if (test === null) return [];
    return (fieldOf(item, "methods")?.items ?? []).map((method) => ({
      method: textIn(fieldOf(method, "name")).toUpperCase(),
      path,
      test,
      limit: limitIn(fieldOf(method, "limit"), file, context) ?? noLimit(file, method),
      isDisabled: false,
    }));
  });
}

/** What a key may do at an API, after its policies are merged. */
export interface TykGrant {
  limit: TykLimit | null;
  quota: TykLimit | null; // its quota alone counts
  scope: string; // counters of APIs with one scope are one
  endpoints: readonly TykEndpoint[];
}

export interface TykSession {
  readonly name: string;
  /** What counts as its client. Left out: the key. */
  readonly pattern?: ClientPattern;
  readonly grants: ReadonlyMap<string, TykGrant>;
}

/** A key without policies. */
export const sessionOfKey = (key: TykAllotment): TykSession => ({
  name: `key ${key.name}`,
  grants: new Map(
    [...key.access].map(([api, { limit, endpoints }]) => [
      api,
      {
        limit: limit ?? key.root,
        quota: limit ?? key.root,
        scope: limit === null ? "" : api,
        endpoints,
      },
    ]),
  ),
});

interface OpenGrant extends TykGrant {
  hasAccess: boolean;
  hasRate: boolean;
  hasQuota: boolean;
}

/**
 * A key with policies. The fastest limit is in effect, and limits, quotas and access may come from different policies.
 * `own`: what the key itself has, if its policies do not supply it.
 */
export function sessionOf(policies: readonly TykAllotment[], own: TykLimit | null): TykSession {
  const grants = new Map<string, OpenGrant>();
  let [root, rootQuota]: [TykLimit | null, TykLimit | null] = [null, null];
  const openers = new Set(policies.filter(({ supplies }) => supplies.access)).size;
  for (const policy of policies) {
    const { supplies, isPerApi } = policy;
    if (!isPerApi && supplies.rate) root = fasterOf(root, policy.root);
    if (!isPerApi && supplies.quota) rootQuota = largerQuota(rootQuota, policy.root);
    for (const [api, access] of policy.access) {
      const grant = grants.get(api) ?? {
        limit: null,
        quota: null,
        scope: "",
        endpoints: [],
        hasAccess: false,
        hasRate: false,
        hasQuota: false,
      };
      grants.set(api, grant);
      if (isPerApi) addPerApi(grant, policy, api, access);
      else addPart(grant, policy, access, openers > 1);
    }
  }
  const name = `policy ${policies.map((policy) => policy.name).join(" + ")}`;
  const ownRate = policies.some(({ supplies }) => supplies.rate) ? null : own;
  const ownQuota = policies.some(({ supplies }) => supplies.quota) ? null : own;
  const open = [...grants].filter(([, { hasAccess }]) => hasAccess);
  return {
    name,
    grants: new Map(
      open.map(([api, grant]) => [
        api,
        {
          limit: grant.hasRate ? grant.limit : (root ?? ownRate),
          quota: grant.hasQuota ? grant.quota : (rootQuota ?? ownQuota),
          scope: grant.scope,
          endpoints: grant.hasRate ? grant.endpoints : [],
        },
      ]),
    ),
  };
}

function addPart(
  grant: OpenGrant,
  { id, supplies, root }: TykAllotment,
  { endpoints }: TykAccess,
  isApart: boolean,
): void {
  if (supplies.access) {
    grant.hasAccess = true;
    if (isApart) grant.scope = id;
  }
  if (supplies.rate) {
    grant.hasRate = true;
    grant.limit = fasterOf(grant.limit, root);
    grant.endpoints = mergeEndpoints(grant.endpoints, endpoints);
  }
  if (supplies.quota) {
    grant.hasQuota = true;
    grant.quota = largerQuota(grant.quota, root);
  }
}

function addPerApi(
  grant: OpenGrant,
  { id, root }: TykAllotment,
  api: string,
  { limit, endpoints }: TykAccess,
): void {
  const own = limit ?? root;
  const isSlower = grant.limit !== null && own !== null && spacingOf(own) > spacingOf(grant.limit);
  if (!isSlower && own !== null) {
    grant.limit = own;
    grant.scope = limit === null ? id : api;
  }
  grant.quota = largerQuota(grant.quota, own);
  grant.endpoints = mergeEndpoints(grant.endpoints, endpoints);
  [grant.hasAccess, grant.hasRate, grant.hasQuota] = [true, true, true];
}

/** The faster limit; of equally fast ones the first. A rate or a period of 0 supplies none. */
function fasterOf(first: TykLimit | null, second: TykLimit | null): TykLimit | null {
  if (second === null || second.rate === 0 || second.per === 0) return first;
  return first === null || spacingOf(first) > spacingOf(second) ? second : first;
}

/** The larger quota, which -1 is, with the longer renewal of both. */
function largerQuota(first: TykLimit | null, second: TykLimit | null): TykLimit | null {
  if (first === null || second === null) return first ?? second;
  const size = ({ quotaMax }: TykLimit): number =>
    quotaMax === -1 ? Number.POSITIVE_INFINITY : quotaMax;
  const larger = size(second) > size(first) ? second : first;
  return { ...larger, renewal: Math.max(first.renewal, second.renewal) };
}

/** Limits of equal endpoints become one: the faster one, and of equally fast ones the one with the higher rate. */
function mergeEndpoints(
  first: readonly TykEndpoint[],
  second: readonly TykEndpoint[],
): readonly TykEndpoint[] {
  if (first.length === 0 || second.length === 0) return [...first, ...second];
  const merged = new Map(first.map((each) => [`${each.method}:${each.path}`, each]));
  for (const each of second) {
    const known = merged.get(`${each.method}:${each.path}`);
    const difference = known === undefined ? 1 : spacingOf(known.limit) - spacingOf(each.limit);
    const isFaster = difference > 0 || (difference === 0 && each.limit.rate > known!.limit.rate);
    if (isFaster) merged.set(`${each.method}:${each.path}`, each);
  }
  return [...merged.values()].toSorted((a, b) =>
    `${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1,
  );
}
