import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { KeyBudget } from "../private.ts";

export const mutant: Mutant<KeyBudget> = {
  about: "a limit for one API does not count where the key has a root limit",
  breaks: ["LIM-6", "LIM-C10"],
  replaces: "limiter/core/resolve/resolver.ts#keyBudget",
  by: (right, resolver, api, grant, profile) =>
    profile.merged.root === null
      ? right(resolver, api, grant, profile)
      : right(resolver, api, { ...grant, own: null, drawsOnRoot: true }, profile),
};
