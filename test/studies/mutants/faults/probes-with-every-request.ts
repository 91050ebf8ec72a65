import type { isProbeDue } from "#src/limiter/core/health.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isProbeDue> = {
  about: "every request looks whether the store is back",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/health.ts#isProbeDue",
  by: (_right, { failures }) => failures > 4,
};
