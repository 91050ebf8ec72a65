import type { losingPolicies } from "../../../src/core/resolve/merge-warnings.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";

export const mutant: Mutant<typeof losingPolicies> = {
  about: "a policy that loses every merge on a key is not reported",
  breaks: ["LIM-C15"],
  replaces: "core/resolve/merge-warnings.ts#losingPolicies",
  by: () => () => [],
};
