import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { MakeKeyRules } from "../private.ts";

export const mutant: Mutant<MakeKeyRules> = {
  about: "with disable_rate_limit requests are counted as ever, and never refused",
  breaks: ["LIM-C12"],
  replaces: "limiter/core/resolve/resolver.ts#keyRules",
  by: (right, resolver, api, profile) => {
    if (!api.disableRateLimit) return right(resolver, api, profile);
    const rules = right(resolver, { ...api, disableRateLimit: false }, profile);
    const budget = rules?.otherwise;
    return budget
      ? { ...rules, table: null, otherwise: { ...budget, limit: { ...budget.limit, rate: 1e9 } } }
      : rules;
  },
};
