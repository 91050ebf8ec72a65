import type { Policy } from "#src/limiter/core/config.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(policy: Policy, api: string) => Policy | null> = {
  about: "apart, a policy with a rate and no access takes part nowhere",
  breaks: ["LIM-C6"],
  replaces: "limiter/core/resolve/merge.ts#atApi",
  by: (right, policy, api) => (policy.accessRights.size === 0 ? null : right(policy, api)),
};
