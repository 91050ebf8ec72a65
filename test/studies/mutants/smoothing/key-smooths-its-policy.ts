import type { merge } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof merge> = {
  about: "the limit of a policy is smoothed as the key says whose own limit it replaces",
  breaks: ["SMO-C7", "LIM-C4"],
  replaces: "limiter/core/resolve/merge.ts#merge",
  by: (right, key, policies) => {
    const merged = right(key, policies);
    const smoothing = key.limit?.smoothing ?? merged.root?.limit.smoothing ?? null;
    const root = merged.root && { ...merged.root, limit: { ...merged.root.limit, smoothing } };
    return { ...merged, root };
  },
};
