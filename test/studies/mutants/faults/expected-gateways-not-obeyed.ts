import type { Decision } from "#src/limiter/core/decision.ts";
import type { Limiter } from "#src/limiter/core/limiter.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type WithoutStore = (limiter: Limiter, ...request: never[]) => Decision;

export const mutant: Mutant<WithoutStore> = {
  about: "a gateway that never reached the store takes itself for the only one",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/steps.ts#decideWithoutStore",
  by: (right, limiter, ...request) => {
    const { health } = limiter;
    if (!health.hasReplied) health.frozenCount = 1;
    return right({ ...limiter, health: { ...health, hasReplied: true } }, ...request);
  },
};
