// A gateway without sockets: match, authenticate, limit, answer. The simulator and the server call the
// same functions; only who answers store operations differs.
import type { ApiDefinition } from "../core/config.ts";
import type { Decision, DecisionDraft } from "../core/decision.ts";
import { decideNow, optionsOf, prepare, type Prepared, type Question } from "../core/limiter.ts";
import { isOutgrown } from "../core/resolve/profile.ts";
import {
  forget,
  clientFor,
  resolve,
  resolveKeyless,
  resolver,
  sessionOf,
} from "../core/resolve/resolver.ts";
import type { Resolved, Session } from "../core/resolve/resolved.ts";
import { EVERYBODY, type Client } from "../core/client.ts";
import { decideByReply, decideLocally, decideSteps, type Decided } from "../core/steps.ts";
import type { Answer, Intent, StoreOp, Take } from "../core/store.ts";
import type { Micros } from "../core/units.ts";
import type { Outcome, Request } from "./outcome.ts";
import { REFUSALS, type Refused } from "./refusals.ts";
import { normalizePath } from "./path.ts";
import { apiAt, entryPath } from "./routes.ts";
import { sayChanges, sayExceeded } from "./say.ts";
import { mayLookAgain, throttleOf } from "./throttle.ts";
import { judgeShadows, shadowsBehind } from "./shadow.ts";
import { type RoutedTarget, NOWHERE, type Gateway, reconfigure } from "./gateway.ts";

/** What these credentials mean has changed: the next request looks again. */
export function forgetKeys(gateway: Gateway, credentials: readonly string[]): void {
  const { resolver: known } = gateway.limiter;
  for (const credential of credentials) {
    const session = known.sessions.get(credential);
    if (session === undefined) continue;
    for (const event of OF_KEYS) gateway.said.delete(`${event} ${session.key.id}`);
  }
  forget(known, credentials);
  if (isOutgrown(known)) reconfigure(gateway, resolver(known.configuration));
}

/** Whose key this is was asked for before, and has not changed since. */
export const isSessionOpen = ({ limiter }: Gateway, credential: string): boolean =>
  limiter.resolver.sessions.has(credential);

/** Whether it matters to a request whose it is. */
export const asksWho = (gateway: Gateway, { method, target, credential }: Request): boolean => {
  if (credential === null || method === "TRACE") return false;
  const { api } = placeOf(gateway, target);
  return api !== null && !api.definition.keyless;
};

/** An outcome while it is being made: one object, because it is made for every request. */
type Draft = { -readonly [Name in keyof Outcome]: Outcome[Name] };

/** A request that reached the limiter. */
interface Route extends Draft {
  readonly api: ApiDefinition;
  readonly resolved: Resolved;
}

function placeOf(gateway: Gateway, target: string): RoutedTarget {
  const { last } = gateway;
  if (last.target === target && last !== NOWHERE) return last;
  const path = optionsOf(gateway.limiter).normalizePath ? normalizePath(target) : rawPath(target);
  return (gateway.last = { target, path, api: path === null ? null : apiAt(gateway.routes, path) });
}

/**
 * Match, authenticate, check state and access, resolve. What is refused here spends nothing (LIM-C1).
 */
export function route(gateway: Gateway, request: Request, nowUs: Micros): Route | Draft {
  const { resolver } = gateway.limiter;
  const { target, method, credential, hasTwoCredentials: isAmbiguous, sender } = request;
  if (method === "TRACE") return before(REFUSALS.trace, null, null, target);
  if (isAmbiguous === true) return before(REFUSALS.twoCredentials, null, null, target);
  const { path, api } = placeOf(gateway, target);
  if (path === null) return before(REFUSALS.badPath, null, null, target);
  if (api === null) return before(REFUSALS.noApi, null, null, path);
  const { definition } = api;
  if (definition.keyless) {
    const within = entryPath(resolver.configuration.options, api, target, path);
    const resolved = resolveKeyless(resolver, api, method, within);
    const client = clientFor(resolver, api, null, sender);
    return reached(definition, null, client, path, resolved);
  }
  if (credential === null) return before(REFUSALS.noCredential, definition, null, path);
  const session = sessionOf(resolver, credential);
  if (session === null) return before(REFUSALS.noAccess, definition, null, path);
  const refusal = session.isPlain ? null : refusalOf(gateway, session, definition, path, nowUs);
  if (refusal !== null) return before(refusal, definition, session, path);
  const isPathNeeded = api.table !== null || session.profile.hasEndpoints;
  const { options } = resolver.configuration;
  const within = isPathNeeded ? entryPath(options, api, target, path) : path;
  const resolved = resolve(resolver, api, session, method, within);
  if (resolved === null) {
    const unenforced = session.profile.merged.grants.get(definition.id)?.unenforced ?? [];
    sayOfKey(gateway, "AccessNotEnforced", session, [definition, path, nowUs], unenforced);
    return before(REFUSALS.noAccess, definition, session, path);
  }
  const client = clientFor(resolver, api, session, sender);
  return reached(definition, session, client, path, resolved);
}

const reached = (
  api: ApiDefinition,
  session: Session | null,
  client: Client,
  path: string,
  resolved: Resolved,
): Route => ({ refused: null, api, session, client, path, resolved, decision: null });

/** Why the state of a key admits none of its requests, if it does so. */
function refusalOf(
  gateway: Gateway,
  session: Session,
  api: ApiDefinition,
  path: string,
  nowUs: Micros,
): Refused | null {
  const { missing, noneKnown, inactive } = session.profile.merged;
  const { unenforced, expiresUs } = session.key;
  const at = [api, path, nowUs] as const;
  if (missing.length > 0) sayOfKey(gateway, "PolicyMissing", session, at, missing);
  if (unenforced.length > 0) sayOfKey(gateway, "AccessNotEnforced", session, at, unenforced);
  if (noneKnown || unenforced.length > 0) return REFUSALS.noAccess;
  if (inactive) return REFUSALS.inactive;
  return nowUs >= expiresUs ? REFUSALS.expired : null;
}

const rawPath = (target: string): string => target.split(/[?#]/, 1)[0]!;

const before = (
  refused: Refused,
  api: ApiDefinition | null,
  session: Session | null,
  path: string,
): Draft => ({
  refused,
  api,
  session,
  client: session ?? EVERYBODY,
  path,
  resolved: null,
  decision: null,
});

export const hasReached = (found: Route | Draft): found is Route => found.resolved !== null;

/** What is wrong with a key itself, whatever it asks for. */
const OF_KEYS = ["PolicyMissing", "AccessNotEnforced"] as const;

function sayOfKey(
  gateway: Gateway,
  event: (typeof OF_KEYS)[number],
  { key }: Session,
  [api, path, stampUs]: readonly [ApiDefinition, string, Micros],
  which: readonly string[],
): void {
  const name = `${event} ${key.id}`;
  if (which.length === 0 || gateway.said.has(name)) return;
  gateway.said.add(name);
  for (const budget of which)
    gateway.limiter.emit?.({ event, stampUs, key: key.id, api: api.id, budget, value: null, path });
}

/** The whole way at once, where the store is at hand. Null: this request may have to wait, take `handle`. */
export function handleNow(
  gateway: Gateway,
  request: Request,
  into?: DecisionDraft,
): Outcome | null {
  const nowUs = gateway.clock();
  const found = route(gateway, request, nowUs);
  if (!hasReached(found)) return found;
  if (throttleOf(found) !== null) return null;
  const { limiter } = gateway;
  const prepared = prepare(limiter, found.resolved, nowUs);
  const decision = decideNow(limiter, prepared, found.client, nowUs, "spend", into);
  const decided = outcome(gateway, found, decision, nowUs);
  if (gateway.shadows !== null && decided.refused === null)
    judgeShadows(gateway, request, decided, nowUs);
  return decided;
}

const questionOf = (
  { limiter }: Gateway,
  { resolved, client }: Route,
  atUs: Micros,
  intent: Intent,
): Question => ({ prepared: prepare(limiter, resolved, atUs), client, atUs, intent });

/** The one question of a request, and what is to be known of it when the answer comes. */
export interface Asking extends Take {
  readonly found: Route;
  readonly prepared: Prepared;
  readonly request: Request;
}

/**
 * The way of most requests to a store that is elsewhere: one question, and `handleAnswer` with what has come
 * of it. Over at once where nothing has to be asked. Null: it is not that simple, take `handle`.
 */
export function handleAsking(gateway: Gateway, request: Request): Handled | Asking | null {
  const { limiter } = gateway;
  const nowUs = gateway.clock();
  const found = route(gateway, request, nowUs);
  if (!hasReached(found)) return { outcome: found, background: [] };
  if (throttleOf(found) !== null) return null;
  const question = questionOf(gateway, found, nowUs, "spend");
  const decided = decideLocally(limiter, question);
  if (decided !== null) return handled(gateway, request, found, decided, nowUs);
  const { prepared, client, atUs, intent } = question;
  if (!prepared.isOneStep) return null;
  const { levels, bound } = prepared;
  return { op: "take", levels, client, atUs, intent, bound, found, prepared, request };
}

export function handleAnswer(gateway: Gateway, asking: Asking, answer: Answer): Handled {
  const { found, atUs, request } = asking;
  return handled(gateway, request, found, decideByReply(gateway.limiter, asking, answer), atUs);
}

function handled(
  gateway: Gateway,
  request: Request,
  found: Route,
  { decision, background }: Decided,
  nowUs: Micros,
): Handled {
  const decided = outcome(gateway, found, decision, nowUs);
  if (gateway.shadows === null || decided.refused !== null) return { outcome: decided, background };
  return {
    outcome: decided,
    background: [...background, ...shadowsBehind(gateway, request, decided, nowUs)],
  };
}

export type Effect = StoreOp | { readonly op: "sleep"; readonly us: Micros };

export interface Handled {
  readonly outcome: Outcome;
  readonly background: readonly StoreOp[];
}

/** The whole way as steps: store operations take time and may fail, throttled requests sleep. */
export function* handle(gateway: Gateway, request: Request): Generator<Effect, Handled, Answer> {
  const found = route(gateway, request, gateway.clock());
  if (!hasReached(found)) return { outcome: found, background: [] };
  const throttle = throttleOf(found);
  const background: StoreOp[] = [];
  let waitedUs = 0;
  let isFinal = false;
  for (let retries = 0; ; retries++) {
    const nowUs = gateway.clock();
    const mayWait =
      !isFinal &&
      throttle !== null &&
      mayLookAgain(throttle, retries, waitedUs) &&
      hasRoom(gateway, retries > 0);
    const question = questionOf(gateway, found, nowUs, mayWait ? "try" : "spend");
    const decided = yield* decideSteps(gateway.limiter, question);
    const { decision } = decided;
    background.push(...decided.background);
    if (!mayWait || !isKeysRate(decision))
      return handled(gateway, request, found, { decision, background }, nowUs);
    sayChanges(gateway, found, decision.changes); // moved, though refused for now
    // Others may have taken the last place while the store was asked: then it is judged at once, for good.
    isFinal = !hasRoom(gateway, retries > 0);
    if (isFinal) continue;
    gateway.waiting++;
    try {
      yield { op: "sleep", us: throttle.intervalUs };
    } finally {
      gateway.waiting--; // also when the client leaves meanwhile
    }
    waitedUs += throttle.intervalUs;
  }
}

/** A request that already waits keeps its place; a new one needs a free one. */
const hasRoom = (gateway: Gateway, isWaiting: boolean): boolean =>
  isWaiting || gateway.waiting < optionsOf(gateway.limiter).throttleMaxWaiting;

export const isKeysRate = ({ refused, level }: Decision): boolean =>
  refused === "rate" && level !== null && level.budget.scope.startsWith("key");

function outcome(gateway: Gateway, found: Route, decision: Decision, nowUs: Micros): Outcome {
  if (decision.changes.length > 0) sayChanges(gateway, found, decision.changes);
  found.decision = decision;
  if (decision.refused === null) return found;
  if (decision.refused !== "store" && gateway.limiter.emit !== null)
    sayExceeded(gateway, found, decision, nowUs);
  found.refused = refusedBy(decision);
  return found;
}

export function refusedBy({ refused, level }: Decision): Refused {
  if (refused === "quota") return REFUSALS.quota;
  if (refused === "store") return REFUSALS.store;
  return level !== null && level.budget.scope.startsWith("api")
    ? REFUSALS.apiRate
    : REFUSALS.keyRate;
}
