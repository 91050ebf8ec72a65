import { UNLIMITED } from "../../../src/core/decision.ts";
import type { Limiter } from "../../../src/core/limiter.ts";
import type { decideUnasked } from "../../../src/core/steps.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";

export const mutant: Mutant<typeof decideUnasked> = {
  about:
    "once the store has failed everything passes, and nobody is told, until the gateway restarts",
  breaks: ["ALG-C8"],
  found: "posthog 83250",
  replaces: "core/steps.ts#decideUnasked",
  by: (right) => {
    const failed = new WeakSet<Limiter>();
    return (limiter, ...request) => {
      if (limiter.health.failures > 0) failed.add(limiter);
      if (failed.has(limiter)) return { decision: UNLIMITED, behind: [] };
      return right(limiter, ...request);
    };
  },
};
