import type { resolve } from "#src/limiter/core/resolve/resolver.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof resolve> = {
  about: "where an API has a quota of its own, the quota of the key does not count",
  breaks: ["LIM-C9"],
  replaces: "limiter/core/resolve/resolver.ts#resolve",
  by: (right, ...args) => {
    const resolved = right(...args);
    return resolved?.quotaAtApi ? { ...resolved, quota: null } : resolved;
  },
};
