import type { merge } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof merge> = {
  about: "a key with policies has no limit of its own, also where no policy has one",
  breaks: ["LIM-C5"],
  replaces: "limiter/core/resolve/merge.ts#merge",
  by: (right, key, policies) =>
    right(key.applyPolicies.length > 0 ? { ...key, limit: null } : key, policies),
};
