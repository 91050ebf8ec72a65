import type { losingPolicies } from "#src/limiter/world/merge-warnings.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof losingPolicies> = {
  about: "a policy that loses every merge on a key is not reported",
  breaks: ["LIM-C15"],
  replaces: "limiter/world/merge-warnings.ts#losingPolicies",
  by: () => [],
};
