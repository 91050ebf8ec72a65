import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { KeyBudget } from "../private.ts";

export const mutant: Mutant<KeyBudget> = {
  about: "an API without a limit of its own has none, whatever the root limit of the key",
  breaks: ["LIM-C10"],
  replaces: "limiter/core/resolve/resolver.ts#keyBudget",
  by: (right, resolver, api, grant, profile) =>
    grant.own === null ? null : right(resolver, api, grant, profile),
};
