import type { readThrottle } from "#src/limiter/world/allotment.ts";
import { SECOND } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof readThrottle> = {
  about: "throttling that is switched off waits once all the same",
  breaks: ["LIM-C9"],
  replaces: "limiter/world/allotment.ts#readThrottle",
  by: (right, place) => right(place) ?? { intervalUs: SECOND, retryLimit: 1 },
};
