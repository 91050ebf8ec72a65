import type { merge } from "#src/limiter/core/resolve/merge.ts";
import { fastest } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof merge> = {
  about: "the root limit of the key competes with those of its policies",
  breaks: ["LIM-C5"],
  replaces: "limiter/core/resolve/merge.ts#merge",
  by: (right, key, policies) => {
    const merged = right(key, policies);
    const own = right({ ...key, applyPolicies: [] }, policies).root;
    return { ...merged, root: fastest([merged.root, own].filter((each) => each !== null)) };
  },
};
