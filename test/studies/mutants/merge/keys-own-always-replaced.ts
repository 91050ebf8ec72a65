import type { merge } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof merge> = {
  about: "any known policy replaces the limits that a key has for its APIs",
  breaks: ["LIM-C14", "LIM-C5"],
  replaces: "limiter/core/resolve/merge.ts#merge",
  by: (right, key, policies, budgets) => {
    const merged = right(key, policies, budgets);
    if (!key.applyPolicies.some((id) => policies.has(id))) return merged;
    const bare = [...(key.accessRights ?? [])].map(
      ([api, { unenforced }]) =>
        [api, { limit: null, quota: null, throttle: null, endpoints: [], unenforced }] as const,
    );
    return right({ ...key, accessRights: new Map(bare) }, policies, budgets);
  },
};
