import type { resolver } from "#src/limiter/core/resolve/resolver.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof resolver> = {
  about: "a shadow limit counts where the enforced one of its place does",
  breaks: ["LIM-C13"],
  replaces: "limiter/core/resolve/resolver.ts#resolver",
  by: (right, configuration) => right(configuration, ""),
};
