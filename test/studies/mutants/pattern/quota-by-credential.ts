import type { resolve } from "#src/limiter/core/resolve/resolver.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof resolve> = {
  about: "a pattern does not govern the quota, which each key has for itself",
  breaks: ["LIM-C8", "LIM-C9"],
  replaces: "limiter/core/resolve/resolver.ts#resolve",
  by: (right, resolver, api, session, ...rest) => {
    const resolved = right(resolver, api, session, ...rest);
    return resolved?.quota
      ? {
          ...resolved,
          quota: { ...resolved.quota, space: `${resolved.quota.space}/${session.key.id}` },
        }
      : resolved;
  },
};
