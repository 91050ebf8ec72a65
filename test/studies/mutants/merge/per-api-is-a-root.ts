import type { Policy } from "#src/limiter/core/config.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(policy: Policy) => Policy> = {
  about: "the root of a per_api policy is merged like any other",
  breaks: ["LIM-C14"],
  replaces: "limiter/world/policy.ts#asPerApi",
  by: (right, policy) => ({ ...right(policy), limit: policy.limit, quota: policy.quota }),
};
