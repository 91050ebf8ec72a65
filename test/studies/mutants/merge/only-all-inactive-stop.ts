import type { merge } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof merge> = {
  about: "a key is inactive only when all of its policies are",
  breaks: ["LIM-C7"],
  replaces: "limiter/core/resolve/merge.ts#merge",
  by: (right, key, policies) => {
    const known = key.applyPolicies.flatMap((id) => policies.get(id) ?? []);
    const inactive = key.inactive || (known.length > 0 && known.every((each) => each.inactive));
    return { ...right(key, policies), inactive };
  },
};
