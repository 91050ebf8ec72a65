import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { BudgetOf } from "../private.ts";

export const mutant: Mutant<BudgetOf> = {
  about: "the same pattern in two APIs is one count",
  breaks: ["EPT-C6"],
  replaces: "limiter/core/resolve/resolver.ts#budget",
  by: (right, resolver, limit, scope, what, ...rest) =>
    right(
      resolver,
      limit,
      scope,
      scope.endsWith("endpoint") ? what.replace(/^[^/]*/, "") : what,
      ...rest,
    ),
};
