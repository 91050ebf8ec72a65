import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { KeyBudget } from "../private.ts";

export const mutant: Mutant<KeyBudget> = {
  about: "the limit for one API is counted together with the root limit",
  breaks: ["LIM-6"],
  replaces: "limiter/core/resolve/resolver.ts#keyBudget",
  by: (right, ...args) => {
    const budget = right(...args);
    return budget && { ...budget, scope: "key", space: `key/${budget.limit.perUs}us` };
  },
};
