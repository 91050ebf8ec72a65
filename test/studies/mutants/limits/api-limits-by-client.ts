import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { BudgetOf } from "../private.ts";

export const mutant: Mutant<BudgetOf> = {
  about: "with key_by the limit of an API is one for each client, keys or not",
  breaks: ["LIM-C17", "LIM-7"],
  replaces: "limiter/core/resolve/resolver.ts#budget",
  by: (right, resolver, limit, scope, what, because, shared) =>
    right(resolver, limit, scope, what, because, scope.startsWith("api") ? "keyless" : shared),
};
