import type { resolve } from "#src/limiter/core/resolve/resolver.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof resolve> = {
  about: "OPTIONS and HEAD are not counted, for the sake of browsers",
  breaks: ["LIM-C12"],
  replaces: "limiter/core/resolve/resolver.ts#resolve",
  by: (right, resolver, api, session, method, path) => {
    const resolved = right(resolver, api, session, method, path);
    const isFree = method === "OPTIONS" || method === "HEAD";
    return resolved && isFree ? { ...resolved, api: null, key: null, quota: null } : resolved;
  },
};
