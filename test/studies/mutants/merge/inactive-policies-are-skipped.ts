import type { merge } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof merge> = {
  about: "an inactive policy is passed over instead of stopping the key",
  breaks: ["LIM-C7"],
  replaces: "limiter/core/resolve/merge.ts#merge",
  by: (right, key, policies) => {
    const asleep = (id: string): boolean => policies.get(id)?.inactive === true;
    return right(
      { ...key, applyPolicies: key.applyPolicies.filter((id) => !asleep(id)) },
      policies,
    );
  },
};
