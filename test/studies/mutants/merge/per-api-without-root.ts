import type { Policy } from "#src/limiter/core/config.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(policy: Policy) => Policy> = {
  about: "an API of a per_api policy that has no limit of its own is not limited by the policy",
  breaks: ["LIM-C14"],
  replaces: "limiter/world/policy.ts#asPerApi",
  by: (right, policy) => ({ ...right(policy), accessRights: policy.accessRights }),
};
