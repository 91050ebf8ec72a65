// The state of a gateway.
import { configure, type Limiter } from "../core/limiter.ts";
import type { ApiRules, Resolver } from "../core/resolve/resolved.ts";
import type { Level } from "../core/store.ts";
import type { Micros } from "../core/units.ts";
import { routesOf, type Routes } from "./routes.ts";
import { shadowsOf, type Shadows } from "./shadows.ts";

/** Where a target leads. */
export interface RoutedTarget {
  readonly target: string;
  readonly path: string | null; // null: broken
  readonly api: ApiRules | null;
}

export const NOWHERE: RoutedTarget = { target: "", path: null, api: null };

export interface Gateway {
  readonly limiter: Limiter;
  routes: Routes;
  last: RoutedTarget; // a target that came once often comes again
  readonly clock: () => Micros; // this gateway's own
  waiting: number; // throttled requests (LIM-C9)
  readonly said: Set<string>; // event and key: once for each configuration;
  shadows: Shadows | null;
  readonly shadowJudged: ((level: Level, isRefused: boolean) => void) | null;
}

export const gateway = (
  limiter: Limiter,
  clock: Gateway["clock"],
  shadowJudged: Gateway["shadowJudged"] = null,
): Gateway => ({
  limiter,
  routes: routesOf(limiter.resolver),
  last: NOWHERE,
  clock,
  waiting: 0,
  said: new Set(),
  shadows: shadowsOf(limiter.resolver),
  shadowJudged,
});

export function reconfigure(gateway: Gateway, next: Resolver): void {
  const isOther = next.configuration !== gateway.limiter.resolver.configuration;
  configure(gateway.limiter, next);
  gateway.routes = routesOf(next);
  gateway.last = NOWHERE;
  if (isOther) gateway.said.clear();
  gateway.shadows = shadowsOf(next);
}
