import type { warnIgnored } from "#src/limiter/world/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof warnIgnored> = {
  about: "nothing says that the algorithm does not smooth",
  breaks: ["SMO-C5"],
  replaces: "limiter/world/smoothing.ts#warnIgnored",
  by: () => {},
};
