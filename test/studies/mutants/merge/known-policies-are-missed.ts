import type { merge } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof merge> = {
  about: "every policy of a key is told as missing, known or not",
  breaks: ["LIM-C7", "EVT-C1"],
  replaces: "limiter/core/resolve/merge.ts#merge",
  by: (right, key, policies) => {
    const merged = right(key, policies);
    return key.applyPolicies.length === 0 ? merged : { ...merged, missing: key.applyPolicies };
  },
};
