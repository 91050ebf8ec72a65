import type { clientFor } from "#src/limiter/core/resolve/resolver.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof clientFor> = {
  about: "where budgets go by a header or the address, a pattern is passed over",
  breaks: ["LIM-C17", "LIM-C8"],
  replaces: "limiter/core/resolve/resolver.ts#clientFor",
  by: (right, resolver, api, session, sender) =>
    right(resolver, api, session === null ? null : { ...session, hasPattern: false }, sender),
};
