import type { limitsThatNeverRefuse } from "#src/limiter/world/never-refuses.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof limitsThatNeverRefuse> = {
  about: "a limit that can never refuse is not reported",
  breaks: ["LIM-C15"],
  replaces: "limiter/world/never-refuses.ts#limitsThatNeverRefuse",
  by: () => [],
};
