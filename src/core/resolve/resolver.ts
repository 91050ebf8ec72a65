// Which budgets apply to a request (LIM-C1, LIM-C10, LIM-13): the most specific existing limit of each
// level. Nothing here depends on time or traffic, so answers are kept and shared: keys made from one
// policy share one Profile, and two requests with the same budgets share one Resolved.
import { BECAUSE, BY_CLIENT, BY_PATTERN } from "../because.ts";
import type { Budget, Scope } from "../budget.ts";
import { client, EVERYBODY, UNKNOWN_SENDER, type Client, type Sender } from "../client.ts";
import type { ApiDefinition, Configuration, KeyBy } from "../config.ts";
import { isUnlimited, type Limit, type Smoothing } from "../limit.ts";
import { SHADOW_SPACE } from "../shadow.ts";
import { BY_KEY, quotaBudget, type Counted } from "./quota.ts";
import { isPlainKey, profileOf } from "./profile.ts";
import { endpointTable } from "./endpoint.ts";
import { keyIdentity, patternIdentity, senderIdentity } from "./identity.ts";
import { mergedMetaData, type Grant } from "./merge.ts";
import type {
  Resolved,
  Profile,
  Session,
  Rules,
  ApiRules,
  KeyRules,
  Resolver,
} from "./resolved.ts";

export function resolver(configuration: Configuration, before = ""): Resolver {
  const { shadow } = configuration;
  const apis: ApiRules[] = [];
  const made: Resolver = {
    configuration,
    apis,
    sessions: new Map(),
    profiles: new Map(),
    texts: new WeakMap(),
    budgets: new Map(),
    shadow: shadow === null ? null : resolver(shadow, SHADOW_SPACE),
    before,
    count: 0,
  };
  for (const definition of configuration.apis.values())
    apis.push(apiRules(made, definition, apis.length));
  return made;
}

/** The session of a credential, null for one that nobody has. */
export function sessionOf(resolver: Resolver, credential: string): Session | null {
  return resolver.sessions.get(credential) ?? newSession(resolver, credential);
}

function newSession(resolver: Resolver, credential: string): Session | null {
  const { keys, policies } = resolver.configuration;
  const key = keys.get(credential);
  if (key === undefined) return null;
  const byPattern = patternIdentity(mergedMetaData(key, policies));
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

/** Whom the budgets of a request count for; null as a session is keyless (LIM-C12, LIM-C17). */
export function clientFor(
  { configuration }: Resolver,
  { keyBy }: ApiRules,
  session: Session | null,
  sender: Sender = UNKNOWN_SENDER,
): Client {
  if (keyBy === "credential" || session?.hasPattern === true) return session ?? EVERYBODY;
  const identity = senderIdentity(keyBy, sender, configuration.options.ipv6Prefix);
  return identity === null ? (session ?? EVERYBODY) : client(identity, session);
}

/** What these credentials stand for is worked out again when they come. */
export function forget(resolver: Resolver, credentials: readonly string[]): void {
  for (const credential of credentials) resolver.sessions.delete(credential);
  if (resolver.shadow !== null) forget(resolver.shadow, credentials);
}

/** The budgets of a request to a keyless API (LIM-C12). */
export function resolveKeyless(
  resolver: Resolver,
  api: ApiRules,
  method: string,
  path: string,
): Resolved {
  const endpoint = api.table === null ? -1 : api.table.find(method, path);
  return (api.keyless[endpoint + 1] ??= made(resolver, budgetAt(api, endpoint)));
}

/** The budgets of a key's request; null where the key has no access to the API. */
export function resolve(
  resolver: Resolver,
  api: ApiRules,
  { profile }: Session,
  method: string,
  path: string,
): Resolved | null {
  const own = rulesAt(resolver, api, profile);
  if (own === null || !own.isEnforceable) return null;
  const ofApi = api.table === null ? -1 : api.table.find(method, path);
  const ofKey = own.table === null ? -1 : own.table.find(method, path);
  const slot = (ofApi + 1) * (own.endpoints.length + 1) + ofKey + 1;
  return (own.resolved[slot] ??= made(resolver, budgetAt(api, ofApi), budgetAt(own, ofKey), own));
}

/** Null: no access. */
export function rulesAt(
  resolver: Resolver,
  { index, definition }: ApiRules,
  profile: Profile,
): KeyRules | null {
  let own = profile.rules[index];
  if (own === undefined) profile.rules[index] = own = keyRules(resolver, definition, profile);
  return own;
}

const budgetAt = (rules: Rules, endpoint: number): Budget | null =>
  endpoint < 0 ? rules.otherwise : rules.endpoints[endpoint]!;

const made = (
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
  const shared = definition.keyless && keyBy !== "credential" ? "keyless" : "nobody";
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
    otherwise: off ? null : budget(resolver, globalRateLimit, "api", id, BECAUSE.apiLimit, shared),
  };
}

const keyByOf = ({ configuration }: Resolver, { keyBy }: ApiDefinition): KeyBy =>
  keyBy ?? configuration.options.keyBy;

function keyRules(resolver: Resolver, api: ApiDefinition, profile: Profile): KeyRules | null {
  const { merged } = profile;
  const grant = merged.grants.get(api.id);
  if (grant === undefined) return null;
  const off = api.disableRateLimit;
  const endpoints = off ? [] : grant.endpoints;
  const { roots } = grant;
  const { quotaOf } = roots ?? merged;
  const whose = (counted: Counted): Counted =>
    profile.isShared ? { ...counted, because: [...counted.because, BY_PATTERN] } : counted;
  const byPolicy: Counted =
    roots === null || quotaOf === null
      ? BY_KEY
      : { scope: "quota", what: quotaOf, because: BECAUSE.quotaApart };
  const atApi: Counted = { scope: "quota-api", what: api.id, because: BECAUSE.quotaAtApi };
  return {
    quota: once(resolver, quotaBudget((roots ?? merged).quota, whose(byPolicy))),
    quotaAtApi: once(resolver, quotaBudget(grant.quota, whose(atApi))),
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
  profile: Profile,
): Budget | null {
  const of = (limit: Limit, scope: Scope, what: string, because: readonly string[]) =>
    budget(
      resolver,
      limit,
      scope,
      what,
      becauseAt(resolver, api, profile, because),
      sharing(resolver, api, profile),
    );
  if (own !== null) return of(own.limit, "key-api", api.id, own.because);
  const { root } = roots ?? profile.merged;
  if (!drawsOnRoot || root === null) return null;
  // The APIs that take their limit from one policy share its budget, and no others do (LIM-C6).
  return roots === null || root.policy === null
    ? of(root.limit, "key", "", root.because)
    : of(root.limit, "key", root.policy, BECAUSE.policiesApart);
}

/** A pattern that evaluates wins over `key_by` (LIM-C17). */
function becauseAt(
  resolver: Resolver,
  api: ApiDefinition,
  { isShared }: Profile,
  because: readonly string[],
): readonly string[] {
  if (isShared) return [...because, BY_PATTERN];
  return keyByOf(resolver, api) === "credential" ? because : [...because, BY_CLIENT];
}

/**
 * Whose a budget may be besides this key's: nobody's, that of whoever has the same identity (LIM-C8, LIM-C17), or of
 * each identity apart because the API is keyless.
 */
type Sharing = "nobody" | "identity" | "keyless";

const sharing = (resolver: Resolver, api: ApiDefinition, { isShared }: Profile): Sharing =>
  isShared || keyByOf(resolver, api) !== "credential" ? "identity" : "nobody";

/**
 * One Budget for one rule, however many keys have it. A changed `per` is another space, and so a new
 * budget; a changed rate is not (MGT-C5). Nor is a changed smoothing, except where several may share the budget:
 * whose smoothing differs would move one allowance by two rules (LIM-C8).
 */
function budget(
  resolver: Resolver,
  limit: Limit | null,
  scope: Scope,
  what: string,
  because: readonly string[],
  shared: Sharing = "nobody",
): Budget | null {
  if (limit === null || isUnlimited(limit)) return null;
  const { perUs, smoothing } = limit;
  const smoothed =
    shared === "identity" && smoothing !== null ? ` smoothed ${smoothingText(smoothing)}` : "";
  const space = `${resolver.before}${scope}/${what}${what === "" ? "" : "/"}${perUs}us${smoothed}`;
  if (shared !== "keyless") return once(resolver, { space, scope, limit, because });
  return once(resolver, {
    space,
    scope,
    limit,
    because: [...because, BY_CLIENT],
    isByClient: true,
  });
}

const smoothingText = ({ threshold, step, trigger, delayUs }: Smoothing): string =>
  `${threshold},${step},${trigger},${delayUs}us`;

function once(resolver: Resolver, budget: Budget | null): Budget | null {
  if (budget === null) return null;
  const { space, limit, because, isByClient } = budget;
  const name = JSON.stringify([space, limit.rate, limit.smoothing, because, isByClient]);
  let known = resolver.budgets.get(name);
  if (known === undefined) resolver.budgets.set(name, (known = budget));
  return known;
}
