import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { MakeKeyRules } from "../private.ts";

export const mutant: Mutant<MakeKeyRules> = {
  about: "disable_rate_limit leaves the limits of keys in force",
  breaks: ["LIM-9"],
  replaces: "limiter/core/resolve/resolver.ts#keyRules",
  by: (right, resolver, api, profile) =>
    right(resolver, { ...api, disableRateLimit: false }, profile),
};
