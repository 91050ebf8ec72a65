import type { exceedsThreshold } from "#src/limiter/core/limit.ts";
import { SECOND } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof exceedsThreshold> = {
  about: "rate is compared with the threshold, whatever its window is",
  breaks: ["ALG-1", "ALG-C1"],
  replaces: "limiter/core/limit.ts#exceedsThreshold",
  by: (right, limit, threshold, gateways) =>
    right({ ...limit, perUs: SECOND }, threshold, gateways),
};
