import type { warnIgnored } from "../../../src/core/read/smoothing.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";

export const mutant: Mutant<typeof warnIgnored> = {
  about: "nothing says that the algorithm does not smooth",
  breaks: ["SMO-C5"],
  replaces: "core/read/smoothing.ts#warnIgnored",
  by: () => () => {},
};
