import type { merge } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof merge> = {
  about: "one unknown policy among known ones refuses the key",
  breaks: ["LIM-C7"],
  replaces: "limiter/core/resolve/merge.ts#merge",
  by: (right, key, policies) => {
    const merged = right(key, policies);
    return { ...merged, hasNoKnownPolicy: merged.missing.length > 0 };
  },
};
