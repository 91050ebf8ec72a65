import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { KeyBudget } from "../private.ts";

export const mutant: Mutant<KeyBudget> = {
  about: "the root limit of a key is counted for each API apart",
  breaks: ["LIM-3"],
  replaces: "limiter/core/resolve/resolver.ts#keyBudget",
  by: (right, resolver, api, ...rest) => {
    const budget = right(resolver, api, ...rest);
    return budget?.scope === "key" ? { ...budget, space: `${budget.space}/${api.id}` } : budget;
  },
};
