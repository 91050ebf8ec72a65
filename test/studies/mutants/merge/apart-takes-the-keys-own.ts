import type { merge } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof merge> = {
  about: "with budgets apart no key keeps a quota or an endpoint limit of its own at an API",
  breaks: ["LIM-C6", "LIM-C14"],
  replaces: "limiter/core/resolve/merge.ts#merge",
  by: (right, key, policies, options) => {
    const merged = right(key, policies, options);
    if (options?.policyBudgets !== "apart") return merged;
    const bare = [...merged.grants].map(
      ([api, grant]) => [api, { ...grant, endpoints: [], quota: null }] as const,
    );
    return { ...merged, grants: new Map(bare) };
  },
};
