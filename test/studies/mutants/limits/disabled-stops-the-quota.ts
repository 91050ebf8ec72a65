import type { resolve } from "#src/limiter/core/resolve/resolver.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof resolve> = {
  about: "disable_rate_limit switches the quota off as well",
  breaks: ["LIM-C12"],
  replaces: "limiter/core/resolve/resolver.ts#resolve",
  by: (right, resolver, api, ...rest) => {
    const resolved = right(resolver, api, ...rest);
    return resolved && api.definition.disableRateLimit ? { ...resolved, quota: null } : resolved;
  },
};
