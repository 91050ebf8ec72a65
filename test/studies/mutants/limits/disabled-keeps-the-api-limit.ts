import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { MakeApiRules } from "../private.ts";

export const mutant: Mutant<MakeApiRules> = {
  about: "disable_rate_limit leaves the limits of the API in force",
  breaks: ["LIM-9"],
  replaces: "limiter/core/resolve/resolver.ts#apiRules",
  by: (right, resolver, definition, index) => ({
    ...right(resolver, { ...definition, disableRateLimit: false }, index),
    definition,
  }),
};
