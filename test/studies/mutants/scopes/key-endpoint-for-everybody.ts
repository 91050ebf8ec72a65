import type { isOfApi } from "#src/limiter/core/budget.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isOfApi> = {
  about: "a limit that keys have for an endpoint is one count for all of them",
  breaks: ["EPT-C5"],
  replaces: "limiter/core/budget.ts#isOfApi",
  by: (right, scope) => scope === "key-endpoint" || right(scope),
};
