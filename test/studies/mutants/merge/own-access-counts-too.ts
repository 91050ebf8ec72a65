import type { merge } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof merge> = {
  about: "the access rights of the key are added to those of its policies",
  breaks: ["LIM-C5"],
  replaces: "limiter/core/resolve/merge.ts#merge",
  by: (right, key, policies) => {
    const merged = right(key, policies);
    const own = right({ ...key, applyPolicies: [] }, policies).grants;
    return { ...merged, grants: new Map([...own, ...merged.grants]) };
  },
};
