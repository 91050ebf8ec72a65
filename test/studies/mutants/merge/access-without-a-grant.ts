import type { Policy } from "#src/limiter/core/config.ts";
import type { merge } from "#src/limiter/core/resolve/merge.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof merge> = {
  about: "every policy grants the APIs that it names",
  breaks: ["LIM-C14"],
  replaces: "limiter/core/resolve/merge.ts#merge",
  by: (right, key, policies, budgets) => {
    const granting = [...policies].map(([id, policy]): [string, Policy] => [
      id,
      { ...policy, supplies: { ...policy.supplies, access: true } },
    ]);
    return right(key, new Map(granting), budgets);
  },
};
