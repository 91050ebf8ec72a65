import type { resolve } from "#src/limiter/core/resolve/resolver.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof resolve> = {
  about: "the limit of a key is counted for each method apart",
  breaks: ["LIM-C12"],
  replaces: "limiter/core/resolve/resolver.ts#resolve",
  by: (right, resolver, api, session, method, path) => {
    const resolved = right(resolver, api, session, method, path);
    return resolved?.key
      ? { ...resolved, key: { ...resolved.key, space: `${resolved.key.space}/${method}` } }
      : resolved;
  },
};
