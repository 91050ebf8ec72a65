import type { governingElsewhere } from "#src/limiter/world/merge-warnings.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof governingElsewhere> = {
  about: "a policy whose limit applies at APIs of another is not reported",
  breaks: ["LIM-C6"],
  replaces: "limiter/world/merge-warnings.ts#governingElsewhere",
  by: () => [],
};
