import type { exceedsThreshold } from "#src/limiter/core/limit.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof exceedsThreshold> = {
  about: "the threshold is compared with the rate of the fleet instead of each gateway's part",
  breaks: ["ALG-1", "ALG-C1"],
  replaces: "limiter/core/limit.ts#exceedsThreshold",
  by: (right, limit, threshold) => right(limit, threshold, 1),
};
