import type { isUnlimited } from "#src/limiter/core/limit.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isUnlimited> = {
  about: "-1 is a rate like any other, and below one",
  breaks: ["LIM-C10"],
  replaces: "limiter/core/limit.ts#isUnlimited",
  by: () => false,
};
