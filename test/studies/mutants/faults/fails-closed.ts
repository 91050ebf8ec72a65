import { UNAVAILABLE, type Decision } from "#src/limiter/core/decision.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<() => Decision> = {
  about: "without the store nothing passes, whatever is configured",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/steps.ts#decideWithoutStore",
  by: () => UNAVAILABLE,
};
