// The shadow limits of a configuration (LIM-C13), as a gateway has them.
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
  levels: (readonly ShadowLevel[] | undefined)[]; // by Resolved
  levelsFor: number; // gateways
}

/** Null if there are none, so that a gateway without shadow limits does no more. */
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
