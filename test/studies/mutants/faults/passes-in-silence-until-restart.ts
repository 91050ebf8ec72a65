import { UNLIMITED } from "#src/limiter/core/decision.ts";
import type { decideLocally } from "#src/limiter/core/steps.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

const failed = new WeakSet();

export const mutant: Mutant<typeof decideLocally> = {
  about: "once the store has failed everything passes in silence, until the gateway restarts",
  breaks: ["ALG-C8"],
  found: "posthog 83250",
  replaces: "limiter/core/steps.ts#decideLocally",
  by: (right, limiter, ...request) => {
    if (limiter.health.failures > 0) failed.add(limiter);
    const passes = { decision: UNLIMITED, background: [] };
    return failed.has(limiter) ? passes : right(limiter, ...request);
  },
};
