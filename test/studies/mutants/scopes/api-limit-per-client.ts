import type { isOfApi } from "#src/limiter/core/budget.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isOfApi> = {
  about: "the limit of an API is counted for each client apart",
  breaks: ["LIM-7"],
  found: "apiman 2546",
  replaces: "limiter/core/budget.ts#isOfApi",
  by: () => false,
};
