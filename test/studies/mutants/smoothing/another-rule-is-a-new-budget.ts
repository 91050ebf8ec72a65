import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { BudgetOf } from "../private.ts";

export const mutant: Mutant<BudgetOf> = {
  about: "a changed smoothing starts a new budget, also of a key that shares with nobody",
  breaks: ["MGT-C5", "LIM-C8"],
  replaces: "limiter/core/resolve/resolver.ts#budget",
  by: (right, resolver, limit, scope, what, because, shared) =>
    right(resolver, limit, scope, what, because, shared === "keyless" ? shared : "identity"),
};
