import type { sessionOf } from "#src/limiter/core/resolve/resolver.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof sessionOf> = {
  about: "keys made from one policy share its budgets",
  breaks: ["LIM-4"],
  replaces: "limiter/core/resolve/resolver.ts#sessionOf",
  by: (right, ...args) => {
    const session = right(...args);
    const policies = session?.key.applyPolicies ?? [];
    return session && policies.length > 0 ? { ...session, identity: policies.join() } : session;
  },
};
