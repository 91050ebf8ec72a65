import type { merge } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof merge> = {
  about: "the budgets of policies are merged, whatever policy_budgets says",
  breaks: ["LIM-C6"],
  replaces: "limiter/core/resolve/merge.ts#merge",
  by: (right, key, policies, options) =>
    right(key, policies, options && { ...options, policyBudgets: "merged" }),
};
