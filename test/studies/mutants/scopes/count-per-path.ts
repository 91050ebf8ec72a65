import type { resolve } from "#src/limiter/core/resolve/resolver.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof resolve> = {
  about: "each path that an entry matches has a count of its own",
  breaks: ["EPT-C6"],
  replaces: "limiter/core/resolve/resolver.ts#resolve",
  by: (right, resolver, api, session, method, path) => {
    const resolved = right(resolver, api, session, method, path);
    return resolved?.api?.scope === "api-endpoint"
      ? { ...resolved, api: { ...resolved.api, space: `${resolved.api.space}${path}` } }
      : resolved;
  },
};
