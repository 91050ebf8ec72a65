import type { isAbsent } from "#src/limiter/core/limit.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isAbsent> = {
  about: "a rate of 0 means that the limit is not there, whatever its window",
  breaks: ["LIM-C2", "LIM-10"],
  replaces: "limiter/core/limit.ts#isAbsent",
  by: (_right, rate) => rate === 0,
};
