import { UNAVAILABLE, type Decision } from "../../../../src/core/decision.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<() => Decision> = {
  about: "without the store nothing passes, whatever is configured",
  breaks: ["ALG-C8"],
  replaces: "core/steps.ts#decideWithoutStore",
  by: () => () => UNAVAILABLE,
};
