import { UNLIMITED, type Decision } from "../../../../src/core/decision.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<() => Decision> = {
  about: "without the store everything passes, whatever is configured",
  breaks: ["ALG-C8"],
  replaces: "core/steps.ts#decideWithoutStore",
  by: () => () => ({ ...UNLIMITED, fallback: true }),
};
