import type { merge } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof merge> = {
  about: "the quota of the key stands before that of its policies",
  breaks: ["LIM-C9"],
  replaces: "limiter/core/resolve/merge.ts#merge",
  by: (right, key, policies) => {
    const merged = right(key, policies);
    return { ...merged, quota: key.quota ?? merged.quota };
  },
};
