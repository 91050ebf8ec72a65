import type { refuseSmoothing } from "#src/limiter/world/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof refuseSmoothing> = {
  about: "smoothing of an API-level limit is passed over in silence",
  breaks: ["SMO-C7"],
  replaces: "limiter/world/smoothing.ts#refuseSmoothing",
  by: () => {},
};
