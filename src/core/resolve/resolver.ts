// Which budgets apply to a request (LIM-C1, LIM-C10, LIM-13): the most specific existing limit of each
// level. Nothing here depends on time or traffic, so answers are kept and shared: keys made from one
// policy share one Profile, and two requests with the same budgets share one Resolved.
import type { Budget, Scope } from "../budget.ts";
import type { ApiDefinition, Configuration, Key } from "../config.ts";
import { isUnlimited, type Limit } from "../limit.ts";
import { quotaBudget } from "./quota.ts";
import { endpointTable, type EndpointTable } from "./endpoint.ts";
import { keyIdentity, patternIdentity } from "./identity.ts";
import { merge, mergedMetaData, type Grant, type Merged } from "./merge.ts";

/** The budgets that one kind of request meets, in the order in which they are judged. */
export interface Resolved {
  readonly id: number; // dense, for those who keep something by it
  readonly api: Budget | null;
  readonly key: Budget | null;
  readonly quota: Budget | null;
}

/** A key with its policies applied, shared by all keys that come out alike. */
export interface Profile {
  readonly merged: Merged;
  readonly grants: Map<string, KeyRules>; // by API, filled as they are asked for
  readonly quota: Budget | null;
}

export interface Session {
  readonly key: Key;
  readonly profile: Profile;
  readonly identity: string;
}

interface Rules {
  readonly table: EndpointTable | null;
  readonly endpoints: readonly (Budget | null)[]; // null: unlimited there (LIM-C10)
  readonly otherwise: Budget | null;
}

interface KeyRules extends Rules {
  readonly resolved: (Resolved | undefined)[]; // by endpoint of the API, then of the key
}

export interface Resolver {
  readonly configuration: Configuration;
  readonly apis: Map<string, Rules>;
  readonly keyless: Map<string, (Resolved | undefined)[]>;
  readonly sessions: Map<string, Session>; // by credential
  readonly profiles: Map<unknown, { readonly key: Key; readonly profile: Profile }[]>; // by what keys have in common
  readonly budgets: Map<string, Budget>;
  count: number;
}

export const resolver = (configuration: Configuration): Resolver => ({
  configuration,
  apis: new Map(),
  keyless: new Map(),
  sessions: new Map(),
  profiles: new Map(),
  budgets: new Map(),
  count: 0,
});

/** The session of a credential, null for one that nobody has. */
export function sessionOf(resolver: Resolver, credential: string): Session | null {
  const known = resolver.sessions.get(credential);
  if (known !== undefined) return known;
  const key = resolver.configuration.keys.get(credential);
  if (key === undefined) return null;
  const profile = profileOf(resolver, key);
  const identity = patternIdentity(mergedMetaData(key, resolver.configuration.policies));
  const session = { key, profile, identity: identity ?? keyIdentity(key.id) };
  resolver.sessions.set(credential, session);
  return session;
}

function profileOf(resolver: Resolver, key: Key): Profile {
  const common = key.applyPolicies.length > 0 ? key.applyPolicies.join("\n") : key.accessRights;
  const candidates = resolver.profiles.get(common) ?? [];
  const twin = candidates.find(({ key: other }) => hasSameRules(key, other));
  if (twin !== undefined) return twin.profile;
  const merged = merge(key, resolver.configuration.policies);
  const profile: Profile = { merged, grants: new Map(), quota: quotaBudget(merged.quota) };
  if (candidates.length === 0) resolver.profiles.set(common, candidates);
  candidates.push({ key, profile });
  return profile;
}

/** Beyond what they have in common: the limits that the key itself brings. Metadata only makes identities. */
const hasSameRules = (a: Key, b: Key): boolean =>
  a.limit === b.limit &&
  a.quota === b.quota &&
  a.throttle === b.throttle &&
  a.inactive === b.inactive &&
  a.accessRights === b.accessRights;

/** The budgets of a request at this API: `session` is null where the API is keyless (LIM-C12). */
export function resolve(
  resolver: Resolver,
  api: ApiDefinition,
  session: Session | null,
  method: string,
  path: string,
): Resolved {
  const apiRules = rulesOfApi(resolver, api);
  const apiEndpoint = apiRules.table === null ? -1 : apiRules.table.find(method, path);
  if (session === null) {
    const list = listIn(resolver.keyless, api.id);
    return (list[apiEndpoint + 1] ??= made(resolver, budgetAt(apiRules, apiEndpoint), null, null));
  }
  const keyRules = session.profile.grants.get(api.id) ?? rulesOfKey(resolver, api, session.profile);
  const keyEndpoint = keyRules.table === null ? -1 : keyRules.table.find(method, path);
  const slot = (apiEndpoint + 1) * (keyRules.endpoints.length + 1) + keyEndpoint + 1;
  return (keyRules.resolved[slot] ??= made(
    resolver,
    budgetAt(apiRules, apiEndpoint),
    budgetAt(keyRules, keyEndpoint),
    session.profile.quota,
  ));
}

const budgetAt = (rules: Rules, endpoint: number): Budget | null =>
  endpoint < 0 ? rules.otherwise : rules.endpoints[endpoint]!;

const made = (
  resolver: Resolver,
  api: Budget | null,
  key: Budget | null,
  quota: Budget | null,
): Resolved => ({ id: resolver.count++, api, key, quota });

function listIn<T>(map: Map<string, T[]>, name: string): T[] {
  let list = map.get(name);
  if (list === undefined) map.set(name, (list = []));
  return list;
}

function rulesOfApi(resolver: Resolver, api: ApiDefinition): Rules {
  let rules = resolver.apis.get(api.id);
  if (rules === undefined) {
    const off = api.disableRateLimit; // LIM-9: off at every level
    const own = (
      limit: Limit | null,
      scope: Scope,
      space: string,
      because: readonly string[],
    ): Budget | null => budget(resolver, limit, scope, space, because);
    rules = {
      table: off || api.endpoints.length === 0 ? null : endpointTable(api.endpoints),
      endpoints: api.endpoints.map((entry) =>
        own(
          entry.limit,
          "api-endpoint",
          `${api.id}/${entry.method} ${entry.pattern.text}`,
          endpointIds(api),
        ),
      ),
      otherwise: off ? null : own(api.globalRateLimit, "api", api.id, ["LIM-7"]),
    };
    resolver.apis.set(api.id, rules);
  }
  return rules;
}

const endpointIds = (api: ApiDefinition): readonly string[] =>
  api.form === "oas" ? ["EPT-1", "EPT-4"] : ["EPT-1", "EPT-3"];

function rulesOfKey(resolver: Resolver, api: ApiDefinition, profile: Profile): KeyRules {
  const { merged } = profile;
  const grant: Grant | undefined = merged.grants.get(api.id);
  const off = api.disableRateLimit;
  const endpoints = off ? [] : (grant?.endpoints ?? []);
  const root = grant?.drawsOnRoot === true ? merged.root : null;
  const rules: KeyRules = {
    table: endpoints.length === 0 ? null : endpointTable(endpoints),
    endpoints: endpoints.map((entry) =>
      budget(
        resolver,
        entry.limit,
        "key-endpoint",
        `${api.id}/${entry.method} ${entry.pattern.text}`,
        ["EPT-1", "EPT-C5"],
      ),
    ),
    otherwise: off
      ? null
      : grant?.own != null
        ? budget(resolver, grant.own.limit, "key-api", api.id, grant.own.because)
        : budget(resolver, root?.limit ?? null, "key", "", root?.because ?? []),
    resolved: [],
  };
  profile.grants.set(api.id, rules);
  return rules;
}

/**
 * One Budget for one rule, however many keys have it. A changed `per` is another space, and so a new
 * budget; a changed rate is not (MGT-C5).
 */
function budget(
  resolver: Resolver,
  limit: Limit | null,
  scope: Scope,
  what: string,
  because: readonly string[],
): Budget | null {
  if (limit === null || isUnlimited(limit)) return null;
  const space = `${scope}/${what}${what === "" ? "" : "/"}${limit.perUs}us`;
  const { smoothing } = limit;
  const name = JSON.stringify([space, limit.rate, smoothing, because]);
  let known = resolver.budgets.get(name);
  if (known === undefined) resolver.budgets.set(name, (known = { space, scope, limit, because }));
  return known;
}
