import type { isOpen } from "#src/limiter/core/health.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isOpen> = {
  about: "one failure is enough for the store to be left alone",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/health.ts#isOpen",
  by: (_right, { failures }) => failures > 0,
};
