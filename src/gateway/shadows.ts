// The shadow limits of a configuration (LIM-C13), prepared for a gateway.
import type { ApiRules, Resolver } from "../limiter/core/resolve/resolved.ts";
import { emptyReply, type BoundLevels, type Level, type Reply } from "../limiter/core/store.ts";

export interface ShadowLevel {
  readonly level: Level;
  readonly bound: BoundLevels;
}

export interface Shadows {
  readonly resolver: Resolver;
  readonly apis: ReadonlyMap<string, ApiRules>;
  readonly reply: Reply;
  levels: (readonly ShadowLevel[] | undefined)[]; // by the id of a `Resolved`
  levelsFor: number; // the number of gateways for which `levels` were built
}

/** Null if there are no shadow limits, so that such a gateway does no additional work. */
export const shadowsOf = ({ shadow }: Resolver): Shadows | null =>
  shadow === null
    ? null
    : {
        resolver: shadow,
        apis: new Map(shadow.apis.map((api) => [api.definition.id, api])),
        reply: emptyReply(),
        levels: [],
        levelsFor: 0,
      };
