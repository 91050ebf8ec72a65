import type { warnIgnored } from "../../../../src/world/smoothing.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof warnIgnored> = {
  about: "nothing says that the algorithm does not smooth",
  breaks: ["SMO-C5"],
  replaces: "world/smoothing.ts#warnIgnored",
  by: () => () => {},
};
