// Finds the API and the budgets of a request, authenticates its key, and checks the key's state and access. A request
// rejected here spends nothing (LIM-C1).
import { ALL_CLIENTS, type Client } from "../limiter/core/client.ts";
import type { ApiDefinition } from "../limiter/core/config.ts";
import { costOf } from "../limiter/core/cost.ts";
import { optionsOf } from "../limiter/core/limiter.ts";
import { clientFor, resolve, resolveKeyless, sessionOf } from "../limiter/core/resolve/resolver.ts";
import type { Resolved, Resolver, Session } from "../limiter/core/resolve/resolved.ts";
import type { Micros } from "../kit/units.ts";
import { emitOfKey } from "./events.ts";
import type { Gateway, RequestTarget } from "./gateway.ts";
import {
  NO_BACKGROUND,
  type GatewayRequest,
  type LastRoute,
  type RequestOutcome,
} from "./outcome.ts";
import { normalizePath } from "./path.ts";
import { REFUSALS, type RefusalResponse } from "./refusals.ts";
import { apiAt, entryPath } from "./routes.ts";

/** Finds the path and API of a target. Caches the last target: without it, a repeated request takes a third longer. */
export function findTarget(gateway: Gateway, target: string): RequestTarget {
  const { lastTarget } = gateway;
  if (lastTarget?.target === target) return lastTarget;
  const path = optionsOf(gateway.limiter).normalizePath ? normalizePath(target) : rawPath(target);
  const api = path === null ? null : apiAt(gateway.routes, path);
  return (gateway.lastTarget = { target, path, api });
}

const rawPath = (target: string): string => target.split(/[?#]/, 1)[0]!;

/** Whether the outcome depends on a key that this gateway has not read, or not since the key's last change. */
export const needsKeyLookup = (
  { limiter }: Gateway,
  { method, credential }: GatewayRequest,
  { api }: RequestTarget,
): boolean =>
  credential !== null &&
  method !== "TRACE" &&
  api !== null &&
  !api.definition.keyless &&
  !limiter.resolver.sessions.has(credential);

/** An incomplete outcome. The same object is completed later, because a second object would cost time. */
type Draft = { -readonly [Name in keyof RequestOutcome]: RequestOutcome[Name] };

/** The incomplete outcome of a request that reaches the limiter. */
export interface Route extends Draft {
  readonly api: ApiDefinition;
  readonly resolved: Resolved;
}

export const reachesLimiter = (draft: Route | Draft): draft is Route => draft.resolved !== null;

export function route(
  gateway: Gateway,
  request: GatewayRequest,
  nowUs: Micros,
  known: RequestTarget | null = null,
): Route | Draft {
  const { last } = request;
  if (last === undefined) return findRoute(gateway, request, nowUs, known);
  const { resolver } = gateway.limiter;
  if (last.resolver === resolver && last.keyChanges === resolver.keyChanges)
    return routeTo(last.api!, last.session, last.client, last.path, last.cost, last.resolved!);
  const routed = findRoute(gateway, request, nowUs, known);
  // The result of a plain key, or of a keyless API, does not depend on the time, so it can be cached.
  if (reachesLimiter(routed) && (routed.session === null || routed.session.isPlain))
    noteRoute(last, routed, resolver);
  return routed;
}

function noteRoute(last: LastRoute, routed: Route, resolver: Resolver): void {
  const { api, session, client, path, cost, resolved } = routed;
  last.resolver = resolver;
  last.keyChanges = resolver.keyChanges;
  last.api = api;
  last.session = session;
  last.client = client;
  last.path = path;
  last.cost = cost;
  last.resolved = resolved;
}

function findRoute(
  gateway: Gateway,
  request: GatewayRequest,
  nowUs: Micros,
  known: RequestTarget | null,
): Route | Draft {
  const { resolver } = gateway.limiter;
  const { target, method, credential, hasTwoCredentials: isAmbiguous, sender } = request;
  if (method === "TRACE") return reject(REFUSALS.trace, null, null, target);
  if (isAmbiguous === true) return reject(REFUSALS.twoCredentials, null, null, target);
  const { options } = resolver.configuration;
  const cost = costOf(options, sender);
  if (cost === null) return reject(REFUSALS.badCost, null, null, target);
  const { path, api } = known ?? findTarget(gateway, target);
  if (path === null) return reject(REFUSALS.badPath, null, null, target);
  if (api === null) return reject(REFUSALS.noApi, null, null, path);
  const { definition } = api;
  if (definition.keyless) {
    const within = entryPath(options, api, target, path);
    const resolved = resolveKeyless(resolver, api, method, within);
    const client = clientFor(resolver, api, null, sender);
    return routeTo(definition, null, client, path, cost, resolved);
  }
  if (credential === null) return reject(REFUSALS.noCredential, definition, null, path);
  const session = sessionOf(resolver, credential);
  if (session === null) return reject(REFUSALS.noAccess, definition, null, path);
  const refusal = session.isPlain ? null : refusalOf(gateway, session, definition, path, nowUs);
  if (refusal !== null) return reject(refusal, definition, session, path);
  const isPathNeeded = api.table !== null || session.profile.hasEndpoints;
  const within = isPathNeeded ? entryPath(options, api, target, path) : path;
  const resolved = resolve(resolver, api, session, method, within);
  if (resolved === null) {
    const unenforced = session.profile.merged.grants.get(definition.id)?.unenforced ?? [];
    emitOfKey(gateway, "AccessNotEnforced", { session, api: definition, path }, nowUs, unenforced);
    return reject(REFUSALS.noAccess, definition, session, path);
  }
  const client = clientFor(resolver, api, session, sender);
  return routeTo(definition, session, client, path, cost, resolved);
}

/** Returns the API and key that a request names, even if the request is refused or rejected. */
export function addresseesOf(
  gateway: Gateway,
  { target, credential }: GatewayRequest,
): Pick<RequestOutcome, "api" | "session"> {
  const { api } = findTarget(gateway, target);
  const session = credential === null ? null : sessionOf(gateway.limiter.resolver, credential);
  return { api: api?.definition ?? null, session };
}

const routeTo = (
  api: ApiDefinition,
  session: Session | null,
  client: Client,
  path: string,
  cost: number,
  resolved: Resolved,
): Route => ({
  kind: "done",
  refused: null,
  api,
  session,
  client,
  path,
  cost,
  resolved,
  decision: null,
  background: NO_BACKGROUND,
});

const reject = (
  refused: RefusalResponse,
  api: ApiDefinition | null,
  session: Session | null,
  path: string,
): Draft => ({
  kind: "done",
  refused,
  api,
  session,
  client: session ?? ALL_CLIENTS,
  path,
  cost: 1,
  resolved: null,
  decision: null,
  background: NO_BACKGROUND,
});

/** The rejection of a request because of its key's state; null: the key is usable. */
function refusalOf(
  gateway: Gateway,
  session: Session,
  api: ApiDefinition,
  path: string,
  nowUs: Micros,
): RefusalResponse | null {
  const { missing, hasNoKnownPolicy, inactive } = session.profile.merged;
  const { unenforced, expiresUs } = session.key;
  const subject = { session, api, path };
  if (missing.length > 0) emitOfKey(gateway, "PolicyMissing", subject, nowUs, missing);
  if (unenforced.length > 0) emitOfKey(gateway, "AccessNotEnforced", subject, nowUs, unenforced);
  if (hasNoKnownPolicy || unenforced.length > 0) return REFUSALS.noAccess;
  if (inactive) return REFUSALS.inactive;
  return nowUs >= expiresUs ? REFUSALS.expired : null;
}
