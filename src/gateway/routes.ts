import type { ApiDefinition, Configuration } from "../core/config.ts";

/** APIs by the first segment of their listen path, longest first: the first that fits is the one. */
export interface Routes {
  readonly bySegment: ReadonlyMap<string, readonly ApiDefinition[]>;
  readonly atRoot: readonly ApiDefinition[];
}

export function routesOf({ apis }: Configuration): Routes {
  const active = [...apis.values()]
    .filter((api) => api.active)
    .toSorted((a, b) => b.listenPath.length - a.listenPath.length);
  const below = active.filter((api) => api.listenPath !== "/");
  return {
    bySegment: Map.groupBy(below, (api) => firstSegment(api.listenPath)),
    atRoot: active.filter((api) => api.listenPath === "/"),
  };
}

function firstSegment(path: string): string {
  const end = path.indexOf("/", 1);
  return end < 0 ? path : path.slice(0, end);
}

export function apiAt(routes: Routes, path: string): ApiDefinition | null {
  for (const api of routes.bySegment.get(firstSegment(path)) ?? []) {
    const { listenPath } = api;
    if (
      path.startsWith(listenPath) &&
      (path.length === listenPath.length || path[listenPath.length] === "/")
    )
      return api;
  }
  return routes.atRoot[0] ?? null;
}

/** The path as endpoint patterns see it: with the listen path taken off (EPT-C1). */
export const withinApi = (api: ApiDefinition, path: string): string =>
  api.listenPath === "/"
    ? path
    : path.length === api.listenPath.length
      ? "/"
      : path.slice(api.listenPath.length);
