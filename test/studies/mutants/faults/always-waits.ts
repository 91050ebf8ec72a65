import type { isOpen } from "#src/limiter/core/health.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isOpen> = {
  about: "every request waits for a store that is away",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/health.ts#isOpen",
  by: () => false,
};
