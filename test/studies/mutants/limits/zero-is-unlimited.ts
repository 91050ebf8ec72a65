import type { isUnlimited } from "#src/limiter/core/limit.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isUnlimited> = {
  about: "a rate of 0 is taken for no limit at all",
  breaks: ["LIM-C2", "LIM-C10"],
  replaces: "limiter/core/limit.ts#isUnlimited",
  by: (_right, limit) => limit.rate <= 0,
};
