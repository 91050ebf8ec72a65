import type { isOfApi } from "#src/limiter/core/budget.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isOfApi> = {
  about: "a limit that keys have for one API is one count for all of them",
  breaks: ["LIM-6"],
  replaces: "limiter/core/budget.ts#isOfApi",
  by: (right, scope) => scope === "key-api" || right(scope),
};
