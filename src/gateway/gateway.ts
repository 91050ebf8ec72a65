// The state of a gateway.
import { KEY_EVENTS } from "../limiter/core/events.ts";
import { configure, type Limiter } from "../limiter/core/limiter.ts";
import { isOutgrown } from "../limiter/core/resolve/profile.ts";
import type { ApiRules, Resolver } from "../limiter/core/resolve/resolved.ts";
import { forgetSessions, resolver } from "../limiter/core/resolve/resolver.ts";
import type { Level } from "../limiter/core/store.ts";
import type { Micros } from "../kit/units.ts";
import { routesOf, type Routes } from "./routes.ts";
import { shadowsOf, type Shadows } from "./shadows.ts";

/** A request target with its path and API, as one configuration resolves them. */
export interface RequestTarget {
  readonly target: string;
  readonly path: string | null; // null: the path is invalid
  readonly api: ApiRules | null;
}

export interface Gateway {
  readonly limiter: Limiter;
  routes: Routes;
  lastTarget: RequestTarget | null;
  readonly clock: () => Micros; // the clock of this gateway
  waiting: number; // number of throttled requests (LIM-C9)
  delayed: number; // number of requests that wait for their turns (ALG-C10)
  readonly emitted: Set<string>; // event and key of events that are emitted once for each configuration
  shadows: Shadows | null;
  readonly onShadowDecision: ((level: Level, isRefused: boolean) => void) | null;
}

export const gateway = (
  limiter: Limiter,
  clock: Gateway["clock"],
  onShadowDecision: Gateway["onShadowDecision"] = null,
): Gateway => ({
  limiter,
  routes: routesOf(limiter.resolver),
  lastTarget: null,
  clock,
  waiting: 0,
  delayed: 0,
  emitted: new Set(),
  shadows: shadowsOf(limiter.resolver),
  onShadowDecision,
});

export function reconfigure(gateway: Gateway, next: Resolver): void {
  const isOther = next.configuration !== gateway.limiter.resolver.configuration;
  configure(gateway.limiter, next);
  gateway.routes = routesOf(next);
  gateway.lastTarget = null;
  if (isOther) gateway.emitted.clear();
  gateway.shadows = shadowsOf(next);
}

/** Forgets the keys of these credentials, because they have changed: the next request reads them again. */
export function forgetKeys(gateway: Gateway, credentials: readonly string[]): void {
  const { resolver: current } = gateway.limiter;
  for (const credential of credentials) {
    const session = current.sessions.get(credential);
    if (session === undefined) continue;
    for (const event of KEY_EVENTS) gateway.emitted.delete(`${event} ${session.key.id}`);
  }
  forgetSessions(current, credentials);
  if (isOutgrown(current)) reconfigure(gateway, resolver(current.configuration));
}
