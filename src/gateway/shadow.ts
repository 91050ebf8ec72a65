// Shadow limits (LIM-C13): after the response to an admitted request, shadow limits are evaluated with budgets of their
// own. A shadow limit that would refuse emits an event, and has no other effect.
import { type Client } from "../limiter/core/client.ts";
import { isOpen, isProbeDue } from "../limiter/core/health.ts";
import { gatewaysAt } from "../limiter/core/limiter.ts";
import { resolve, resolveKeyless, sessionOf } from "../limiter/core/resolve/resolver.ts";
import type { Resolved } from "../limiter/core/resolve/resolved.ts";
import { levelOf } from "../limiter/core/select.ts";
import {
  emptyReply,
  type Level,
  type Reply,
  type StoreOp,
  type Take,
} from "../limiter/core/store.ts";
import type { Micros } from "../kit/units.ts";
import type { Gateway } from "./gateway.ts";
import type { RequestOutcome, GatewayRequest } from "./outcome.ts";
import { entryPath } from "./routes.ts";
import { emitChanges, emitShadowExceeded } from "./events.ts";
import type { ShadowLevel, Shadows } from "./shadows.ts";

interface MetShadows {
  readonly client: Client;
  readonly levels: readonly ShadowLevel[];
}

/** The shadow limits that apply to a request: at most one of its API and one of its key. */
export function shadowsMet(
  gateway: Gateway,
  { method, target, credential }: GatewayRequest,
  { api: definition, path, session: known, client, resolved: enforced }: RequestOutcome,
  nowUs: Micros,
): MetShadows | null {
  const { shadows } = gateway;
  if (shadows === null || definition === null || enforced === null) return null;
  const api = shadows.apis.get(definition.id);
  if (api === undefined) return null;
  const { resolver } = shadows;
  const within = entryPath(resolver.configuration.options, api, target, path);
  if (definition.keyless) {
    const resolved = resolveKeyless(resolver, api, method, within);
    return { client, levels: levelsOf(gateway, shadows, resolved, nowUs) };
  }
  const session = credential === null ? null : sessionOf(resolver, credential);
  const resolved = session === null ? null : resolve(resolver, api, session, method, within);
  if (session === null || resolved === null) return null;
  return {
    client: client === known ? session : client,
    levels: levelsOf(gateway, shadows, resolved, nowUs),
  };
}

function levelsOf(
  { limiter }: Gateway,
  shadows: Shadows,
  { id, api, key }: Resolved,
  nowUs: Micros,
): readonly ShadowLevel[] {
  const gateways = gatewaysAt(limiter, nowUs);
  if (gateways !== shadows.levelsFor) {
    shadows.levels = [];
    shadows.levelsFor = gateways;
  }
  const { options } = shadows.resolver.configuration;
  return (shadows.levels[id] ??= [api, key].flatMap((budget) => {
    if (budget === null) return [];
    const level = levelOf(options, budget, gateways);
    return [{ level, bound: limiter.localStore.bind([level]) }];
  }));
}

/** Evaluates and spends a request's shadow limits over a local store. */
export function evaluateShadows(
  gateway: Gateway,
  request: GatewayRequest,
  outcome: RequestOutcome,
  nowUs: Micros,
): void {
  const met = shadowsMet(gateway, request, outcome, nowUs);
  if (met === null) return;
  for (const shadowLevel of met.levels)
    evaluateLocally(gateway, outcome, shadowLevel, met.client, nowUs);
}

function evaluateLocally(
  gateway: Gateway,
  outcome: RequestOutcome,
  { level, bound }: ShadowLevel,
  client: Client,
  nowUs: Micros,
): void {
  const reply = bound.take(
    client,
    nowUs,
    "spend",
    gateway.shadows?.reply ?? emptyReply(),
    outcome.cost,
  );
  reportShadow(gateway, outcome, level, client, reply, nowUs);
}

/** Returns the operations for shadow limits in a remote store. Evaluates those with budgets in this gateway. */
export function shadowOperations(
  gateway: Gateway,
  request: GatewayRequest,
  outcome: RequestOutcome,
  nowUs: Micros,
): readonly StoreOp[] {
  if (outcome.decision?.fallback === true) return [];
  const met = shadowsMet(gateway, request, outcome, nowUs);
  if (met === null) return [];
  const { client } = met;
  const operations: Take[] = [];
  for (const shadowLevel of met.levels) {
    const { level } = shadowLevel;
    if (level.place === "gateway") evaluateLocally(gateway, outcome, shadowLevel, client, nowUs);
    else
      operations.push({
        op: "take",
        levels: [level],
        client,
        atUs: nowUs,
        intent: "spend",
        units: outcome.cost,
      });
  }
  // If the store is unreachable, these operations are sent to it only when a probe is due.
  const { health } = gateway.limiter;
  return operations.length === 0 || (isOpen(health) && !isProbeDue(health, nowUs))
    ? []
    : operations;
}

/** Emits the events of a reply to a background operation: a sentinel's write, a probe, or a shadow limit. */
export function onBackgroundReply(
  gateway: Gateway,
  outcome: RequestOutcome,
  op: StoreOp,
  reply: Reply,
): void {
  const [level] = op.op === "take" && op.intent === "spend" ? op.levels : [];
  if (op.op === "take" && level !== undefined)
    reportShadow(gateway, outcome, level, op.client, reply, op.atUs);
  else emitChanges(gateway, outcome, reply.changes);
}

function reportShadow(
  gateway: Gateway,
  outcome: RequestOutcome,
  level: Level,
  client: Client,
  reply: Reply,
  nowUs: Micros,
): void {
  const isRefused = reply.refusedBy >= 0;
  gateway.onShadowDecision?.(level, isRefused);
  if (isRefused) emitShadowExceeded(gateway, outcome, level, client, nowUs);
}
