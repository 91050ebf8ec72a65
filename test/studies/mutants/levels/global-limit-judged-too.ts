import type { resolve } from "#src/limiter/core/resolve/resolver.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof resolve> = {
  about: "the global limit of an API is judged and spent beside the one of an endpoint",
  breaks: ["LIM-C1", "EPT-2"],
  replaces: "limiter/core/resolve/resolver.ts#resolve",
  by: (right, resolver, api, ...rest) => {
    const resolved = right(resolver, api, ...rest);
    return resolved?.api?.scope === "api-endpoint" && resolved.quota === null
      ? { ...resolved, quota: api.otherwise }
      : resolved;
  },
};
