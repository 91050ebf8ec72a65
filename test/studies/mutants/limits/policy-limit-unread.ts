import type { readPolicy } from "#src/limiter/world/policy.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof readPolicy> = {
  about: "the root limit of a policy is not read",
  breaks: ["LIM-13", "LIM-3"],
  replaces: "limiter/world/policy.ts#readPolicy",
  by: (right, ...args) => {
    const policy = right(...args);
    return policy && { ...policy, limit: null };
  },
};
