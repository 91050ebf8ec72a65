import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { BudgetOf } from "../private.ts";

export const mutant: Mutant<BudgetOf> = {
  about: "credentials of one pattern share a budget although one is smoothed and another is not",
  breaks: ["LIM-C8"],
  replaces: "limiter/core/resolve/resolver.ts#budget",
  by: (right, resolver, limit, scope, what, because, shared) =>
    right(resolver, limit, scope, what, because, shared === "identity" ? "nobody" : shared),
};
