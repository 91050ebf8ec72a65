import { withoutParameters } from "../limiter/core/resolve/endpoint.ts";
import { normalizePath } from "./path.ts";
import type { GatewayOptions } from "../limiter/core/config.ts";
import type { ApiRules, Resolver } from "../limiter/core/resolve/resolved.ts";

/** APIs by the first segment of their listen path, with the longest path first: the first match is the API. */
export interface Routes {
  readonly few: readonly ApiRules[] | null; // null: too many APIs to try each
  readonly bySegment: ReadonlyMap<string, readonly ApiRules[]>;
  readonly atRoot: ApiRules | null;
}

const FEW = 8;

export function routesOf({ apis }: Resolver): Routes {
  const active = apis
    .filter(({ definition }) => definition.active)
    .toSorted((a, b) => b.definition.listenPath.length - a.definition.listenPath.length);
  const below = active.filter(({ definition }) => definition.listenPath !== "/");
  return {
    few: below.length <= FEW ? below : null,
    bySegment: Map.groupBy(below, ({ definition }) => firstSegment(definition.listenPath)),
    atRoot: active.find(({ definition }) => definition.listenPath === "/") ?? null,
  };
}

function firstSegment(path: string): string {
  const end = path.indexOf("/", 1);
  return end < 0 ? path : path.slice(0, end);
}

export function apiAt(routes: Routes, path: string): ApiRules | null {
  const candidates = routes.few ?? routes.bySegment.get(firstSegment(path)) ?? [];
  for (const api of candidates) {
    const { listenPath } = api.definition;
    const { length } = listenPath;
    const endsThere = path.length === length || path.charCodeAt(length) === SLASH;
    if (endsThere && path.startsWith(listenPath)) return api;
  }
  return routes.atRoot;
}

const SLASH = 47;

/**
 * The path that endpoint entries are compared with. If parameters of segments are ignored, they are dropped before dot
 * segments are resolved (EPT-C7). A path outside the listen path is returned whole.
 */
export function entryPath(
  { endpointMatching, normalizePath: isNormalized }: GatewayOptions,
  api: ApiRules,
  target: string,
  path: string,
): string {
  if (endpointMatching.pathParameters === "exact" || !target.includes(";"))
    return withinApi(api, path);
  const { listenPath } = api.definition;
  const whole = isNormalized ? (normalizePath(target, true) ?? path) : withoutParameters(path);
  const below = withoutParameters(listenPath);
  if (below === "/") return whole;
  const isBelow = whole === below || whole.startsWith(`${below}/`);
  return isBelow ? whole.slice(below.length) || "/" : whole;
}

/** The path without the listen path, for endpoint patterns (EPT-C1). */
export const withinApi = ({ definition: { listenPath } }: ApiRules, path: string): string =>
  listenPath === "/"
    ? path
    : path.length === listenPath.length
      ? "/"
      : path.slice(listenPath.length);
