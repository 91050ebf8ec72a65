import type { exceedsThreshold } from "#src/limiter/core/limit.ts";
import { microsToSeconds } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof exceedsThreshold> = {
  about: "rate per second and threshold times gateways are compared as floating-point numbers",
  breaks: ["ALG-C1"],
  replaces: "limiter/core/limit.ts#exceedsThreshold",
  by: (_right, limit, threshold, gateways) =>
    limit.rate / microsToSeconds(limit.perUs) > threshold * gateways,
};
