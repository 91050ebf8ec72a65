import type { Decision } from "#src/limiter/core/decision.ts";
import type { Limiter } from "#src/limiter/core/limiter.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type WithoutStore = (limiter: Limiter, ...request: never[]) => Decision;

export const mutant: Mutant<WithoutStore> = {
  about: "the number of gateways is the expected one, though the true one was known",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/steps.ts#decideWithoutStore",
  by: (right, limiter, ...request) =>
    right({ ...limiter, health: { ...limiter.health, hasReplied: false } }, ...request),
};
