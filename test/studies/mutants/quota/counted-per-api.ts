import type { resolve } from "#src/limiter/core/resolve/resolver.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof resolve> = {
  about: "the quota of a key is counted for each API apart",
  breaks: ["LIM-C9"],
  replaces: "limiter/core/resolve/resolver.ts#resolve",
  by: (right, resolver, api, ...rest) => {
    const resolved = right(resolver, api, ...rest);
    return resolved?.quota
      ? { ...resolved, quota: { ...resolved.quota, space: `quota/${api.definition.id}` } }
      : resolved;
  },
};
