import type { merge } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof merge> = {
  about: "one policy without a root limit makes the key unlimited",
  breaks: ["LIM-C4", "LIM-C6"],
  replaces: "limiter/core/resolve/merge.ts#merge",
  by: (right, key, policies) => {
    const merged = right(key, policies);
    const lifts = key.applyPolicies.some((id) => policies.get(id)?.limit === null);
    return lifts ? { ...merged, root: null } : merged;
  },
};
