import type { refuseSmoothing } from "../../../src/core/read/smoothing.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";

export const mutant: Mutant<typeof refuseSmoothing> = {
  about: "smoothing of an API-level limit is passed over in silence",
  breaks: ["SMO-C7"],
  replaces: "core/read/smoothing.ts#refuseSmoothing",
  by: () => () => {},
};
