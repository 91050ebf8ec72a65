import type { resolve } from "#src/limiter/core/resolve/resolver.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof resolve> = {
  about: "a quota in the limit of one API is stored only",
  breaks: ["LIM-C9"],
  replaces: "limiter/core/resolve/resolver.ts#resolve",
  by: (right, ...args) => {
    const resolved = right(...args);
    return resolved && { ...resolved, quotaAtApi: null };
  },
};
