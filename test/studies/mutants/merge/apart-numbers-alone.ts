import type { KeyBudget } from "../private.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<KeyBudget> = {
  about: "apart, the APIs of two policies with equal windows share one count all the same",
  breaks: ["LIM-C6"],
  replaces: "limiter/core/resolve/resolver.ts#keyBudget",
  by: (right, ...args) => {
    const budget = right(...args);
    return budget?.scope === "key" ? { ...budget, space: `key/${budget.limit.perUs}us` } : budget;
  },
};
