import { isUnlimited } from "#src/limiter/core/limit.ts";
import type { resolve } from "#src/limiter/core/resolve/resolver.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof resolve> = {
  about: "the root limit of a key is judged and spent beside a more specific one",
  breaks: ["LIM-C1", "LIM-C10"],
  replaces: "limiter/core/resolve/resolver.ts#resolve",
  by: (right, resolver, api, session, ...rest) => {
    const resolved = right(resolver, api, session, ...rest);
    const limit = session.profile.merged.root?.limit ?? null;
    const isSpecific = resolved?.key?.scope.startsWith("key-") === true;
    if (limit === null || isUnlimited(limit) || !isSpecific || resolved.quota) return resolved;
    const root = { space: `key/${limit.perUs}us`, scope: "key" as const, limit, because: [] };
    return { ...resolved, quota: root };
  },
};
