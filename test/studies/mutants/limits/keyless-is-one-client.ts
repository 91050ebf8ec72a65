import { isOfApi, type isForAll } from "#src/limiter/core/budget.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isForAll> = {
  about: "a keyless API with key_by has one budget for all",
  breaks: ["LIM-C17"],
  replaces: "limiter/core/budget.ts#isForAll",
  by: (_right, { scope }) => isOfApi(scope),
};
