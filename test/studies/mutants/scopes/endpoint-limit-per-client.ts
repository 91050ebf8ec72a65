import type { isOfApi } from "#src/limiter/core/budget.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isOfApi> = {
  about: "the limit of an endpoint is counted for each client apart",
  breaks: ["LIM-7", "EPT-1"],
  replaces: "limiter/core/budget.ts#isOfApi",
  by: (_right, scope) => scope === "api",
};
