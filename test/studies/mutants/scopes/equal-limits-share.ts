import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { BudgetOf } from "../private.ts";

export const mutant: Mutant<BudgetOf> = {
  about: "limits of different APIs share a count where their windows are equal",
  breaks: ["LIM-7", "LIM-6"],
  replaces: "limiter/core/resolve/resolver.ts#budget",
  by: (right, resolver, limit, scope, _what, ...rest) => right(resolver, limit, scope, "", ...rest),
};
