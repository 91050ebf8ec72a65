// Finds the budgets that apply to a request (LIM-C1, LIM-C10, LIM-13): at each level, the most specific limit.
// Results depend on neither time nor traffic, so they are cached and shared: keys with equal rules share one
// KeyProfile, and requests with the same budgets share one Resolved.
import { BECAUSE, BY_CLIENT, BY_PATTERN } from "../because.ts";
import type { Budget, Scope } from "../budget.ts";
import { client, ALL_CLIENTS, UNKNOWN_SENDER, type Client, type Sender } from "../client.ts";
import type { ApiDefinition, Configuration, KeyBy } from "../config.ts";
import { isUnlimited, type Limit, type Smoothing } from "../limit.ts";
import { SHADOW_SPACE } from "../shadow.ts";
import { BY_KEY, quotaBudget, type QuotaSubject } from "./quota.ts";
import { isPlainKey, profileOf } from "./profile.ts";
import { endpointTable } from "./endpoint.ts";
import { keyIdentity, patternIdentity, senderIdentity } from "./identity.ts";
import { mergeMetaData, type Grant } from "./merge.ts";
import type {
  Resolved,
  KeyProfile,
  Session,
  Rules,
  ApiRules,
  KeyRules,
  Resolver,
} from "./resolved.ts";

export function resolver(configuration: Configuration, spacePrefix = ""): Resolver {
  const { shadow } = configuration;
  const apis: ApiRules[] = [];
  const created: Resolver = {
    configuration,
    apis,
    sessions: new Map(),
    profiles: new Map(),
    texts: new WeakMap(),
    budgets: new Map(),
    shadow: shadow === null ? null : resolver(shadow, SHADOW_SPACE),
    spacePrefix,
    count: 0,
    keyChanges: 0,
  };
  for (const definition of configuration.apis.values())
    apis.push(apiRules(created, definition, apis.length));
  return created;
}

/** The session of a credential; null: no key has it. */
export function sessionOf(resolver: Resolver, credential: string): Session | null {
  return resolver.sessions.get(credential) ?? newSession(resolver, credential);
}

function newSession(resolver: Resolver, credential: string): Session | null {
  const { keys, policies } = resolver.configuration;
  const key = keys.get(credential);
  if (key === undefined) return null;
  const byPattern = patternIdentity(mergeMetaData(key, policies));
  const profile = profileOf(resolver, key, byPattern !== null);
  const isPlain = isPlainKey(key, profile.merged);
  const session: Session = {
    identity: byPattern ?? keyIdentity(key.id),
    owner: null,
    row: 0,
    home: null,
    profile,
    isPlain,
    hasPattern: byPattern !== null,
    key,
  };
  resolver.sessions.set(credential, session);
  return session;
}

/** The client whose budgets a request spends. Without a session the request is keyless (LIM-C12, LIM-C17). */
export function clientFor(
  { configuration }: Resolver,
  { keyBy }: ApiRules,
  session: Session | null,
  sender: Sender = UNKNOWN_SENDER,
): Client {
  if (keyBy === "credential" || session?.hasPattern === true) return session ?? ALL_CLIENTS;
  const identity = senderIdentity(keyBy, sender, configuration.options.ipv6Prefix);
  return identity === null ? (session ?? ALL_CLIENTS) : client(identity, session);
}

/** Forgets the sessions of these credentials: the next request with one of them creates its session again. */
export function forgetSessions(resolver: Resolver, credentials: readonly string[]): void {
  resolver.keyChanges++;
  for (const credential of credentials) resolver.sessions.delete(credential);
  if (resolver.shadow !== null) forgetSessions(resolver.shadow, credentials);
}

/** The budgets of a request to a keyless API (LIM-C12). */
export function resolveKeyless(
  resolver: Resolver,
  api: ApiRules,
  method: string,
  path: string,
): Resolved {
  const endpoint = api.table === null ? -1 : api.table.find(method, path);
  return (api.keyless[endpoint + 1] ??= createResolved(resolver, budgetAt(api, endpoint)));
}

/** The budgets of a key's request; null if the key has no access to the API. */
export function resolve(
  resolver: Resolver,
  api: ApiRules,
  { profile }: Session,
  method: string,
  path: string,
): Resolved | null {
  const rules = rulesAt(resolver, api, profile);
  if (rules === null || !rules.isEnforceable) return null;
  const ofApi = api.table === null ? -1 : api.table.find(method, path);
  const ofKey = rules.table === null ? -1 : rules.table.find(method, path);
  const slot = (ofApi + 1) * (rules.endpoints.length + 1) + ofKey + 1;
  return (rules.resolved[slot] ??= createResolved(
    resolver,
    budgetAt(api, ofApi),
    budgetAt(rules, ofKey),
    rules,
  ));
}

/** The rules of a profile at an API; null: no access. */
export function rulesAt(
  resolver: Resolver,
  { index, definition }: ApiRules,
  profile: KeyProfile,
): KeyRules | null {
  let rules = profile.rules[index];
  if (rules === undefined) profile.rules[index] = rules = keyRules(resolver, definition, profile);
  return rules;
}

const budgetAt = (rules: Rules, endpoint: number): Budget | null =>
  endpoint < 0 ? rules.otherwise : rules.endpoints[endpoint]!;

const createResolved = (
  resolver: Resolver,
  api: Budget | null,
  key: Budget | null = null,
  quotas: Pick<KeyRules, "quota" | "quotaAtApi"> | null = null,
): Resolved => ({
  id: resolver.count++,
  api,
  key,
  quota: quotas?.quota ?? null,
  quotaAtApi: quotas?.quotaAtApi ?? null,
});

function apiRules(resolver: Resolver, definition: ApiDefinition, index: number): ApiRules {
  const { id, form, disableRateLimit: off, endpoints, globalRateLimit } = definition; // LIM-9: off at every level
  const keyBy = keyByOf(resolver, definition);
  const shared = definition.keyless && keyBy !== "credential" ? "keyless" : "none";
  const because = form === "oas" ? BECAUSE.oasEndpoint : BECAUSE.classicEndpoint;
  return {
    definition,
    keyBy,
    index,
    keyless: [],
    table:
      off || endpoints.length === 0
        ? null
        : endpointTable(endpoints, resolver.configuration.options),
    endpoints: endpoints.map((entry) =>
      budget(
        resolver,
        entry.limit,
        "api-endpoint",
        `${id}/${entry.method} ${entry.pattern.text}`,
        because,
        shared,
      ),
    ),
    otherwise: off
      ? null
      : budget(
          resolver,
          globalRateLimit,
          "api",
          id,
          shared === "keyless" ? [] : BECAUSE.apiLimit,
          shared,
        ),
  };
}

const keyByOf = ({ configuration }: Resolver, { keyBy }: ApiDefinition): KeyBy =>
  keyBy ?? configuration.options.keyBy;

function keyRules(resolver: Resolver, api: ApiDefinition, profile: KeyProfile): KeyRules | null {
  const { merged } = profile;
  const grant = merged.grants.get(api.id);
  if (grant === undefined) return null;
  const off = api.disableRateLimit;
  const endpoints = off ? [] : grant.endpoints;
  const { roots } = grant;
  const { quotaOf } = roots ?? merged;
  const withPattern = (subject: QuotaSubject): QuotaSubject =>
    profile.isShared ? { ...subject, because: [...subject.because, BY_PATTERN] } : subject;
  const byPolicy: QuotaSubject =
    roots === null || quotaOf === null
      ? BY_KEY
      : { scope: "quota", id: quotaOf, because: BECAUSE.quotaApart };
  const atApi: QuotaSubject = { scope: "quota-api", id: api.id, because: BECAUSE.quotaAtApi };
  return {
    quota: reuseBudget(resolver, quotaBudget((roots ?? merged).quota, withPattern(byPolicy))),
    quotaAtApi: reuseBudget(resolver, quotaBudget(grant.quota, withPattern(atApi))),
    isEnforceable: grant.unenforced.length === 0,
    resolved: [],
    table: endpoints.length === 0 ? null : endpointTable(endpoints, resolver.configuration.options),
    endpoints: endpoints.map((entry) =>
      budget(
        resolver,
        entry.limit,
        "key-endpoint",
        `${api.id}/${entry.method} ${entry.pattern.text}`,
        becauseAt(resolver, api, profile, BECAUSE.keyEndpoint),
        sharing(resolver, api, profile),
      ),
    ),
    otherwise: off ? null : keyBudget(resolver, api, grant, profile),
  };
}

function keyBudget(
  resolver: Resolver,
  api: ApiDefinition,
  { own, drawsOnRoot, roots }: Grant,
  profile: KeyProfile,
): Budget | null {
  const create = (limit: Limit, scope: Scope, what: string, because: readonly string[]) =>
    budget(
      resolver,
      limit,
      scope,
      what,
      becauseAt(resolver, api, profile, because),
      sharing(resolver, api, profile),
    );
  if (own !== null) return create(own.limit, "key-api", api.id, own.because);
  const { root } = roots ?? profile.merged;
  if (!drawsOnRoot || root === null) return null;
  // The APIs whose limit is supplied by the same policy share one budget (LIM-C6).
  return roots === null || root.policy === null
    ? create(root.limit, "key", "", root.because)
    : create(root.limit, "key", root.policy, BECAUSE.policiesApart);
}

/** Adds the requirement that decides who shares the budget. A pattern that has values wins over `key_by` (LIM-C17). */
function becauseAt(
  resolver: Resolver,
  api: ApiDefinition,
  { isShared }: KeyProfile,
  because: readonly string[],
): readonly string[] {
  if (isShared) return [...because, BY_PATTERN];
  return keyByOf(resolver, api) === "credential" ? because : [...because, BY_CLIENT];
}

/**
 * Which clients share a budget. `none`: only one key uses it; `identity`: keys and senders of the same identity
 * (LIM-C8, LIM-C17); `keyless`: senders to a keyless API, with a budget for each identity.
 */
type Sharing = "none" | "identity" | "keyless";

const sharing = (resolver: Resolver, api: ApiDefinition, { isShared }: KeyProfile): Sharing =>
  isShared || keyByOf(resolver, api) !== "credential" ? "identity" : "none";

/**
 * Returns the one Budget of a rule, however many keys have the rule. A changed `per` gives a new space and so a new
 * budget; a changed rate keeps the budget (MGT-C5). Changed smoothing also keeps it, unless keys share the budget by
 * identity: then two different smoothing rules would change one allowance (LIM-C8).
 */
function budget(
  resolver: Resolver,
  limit: Limit | null,
  scope: Scope,
  what: string,
  because: readonly string[],
  shared: Sharing = "none",
): Budget | null {
  if (limit === null || isUnlimited(limit)) return null;
  const { perUs, smoothing } = limit;
  const smoothed =
    shared === "identity" && smoothing !== null ? ` smoothed ${smoothingText(smoothing)}` : "";
  const space = `${resolver.spacePrefix}${scope}/${what}${what === "" ? "" : "/"}${perUs}us${smoothed}`;
  if (shared !== "keyless") return reuseBudget(resolver, { space, scope, limit, because });
  return reuseBudget(resolver, {
    space,
    scope,
    limit,
    because: [...because, BY_CLIENT],
    isByClient: true,
  });
}

const smoothingText = ({ threshold, step, trigger, delayUs }: Smoothing): string =>
  `${threshold},${step},${trigger},${delayUs}us`;

function reuseBudget(resolver: Resolver, budget: Budget | null): Budget | null {
  if (budget === null) return null;
  const { space, limit, because, isByClient } = budget;
  const name = JSON.stringify([space, limit.rate, limit.smoothing, because, isByClient]);
  let existing = resolver.budgets.get(name);
  if (existing === undefined) resolver.budgets.set(name, (existing = budget));
  return existing;
}
