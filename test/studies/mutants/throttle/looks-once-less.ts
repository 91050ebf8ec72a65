import type { readThrottle } from "#src/limiter/world/allotment.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof readThrottle> = {
  about: "the first look counts as one of those that its key grants",
  breaks: ["LIM-C9"],
  replaces: "limiter/world/allotment.ts#readThrottle",
  by: (right, place) => {
    const throttle = right(place);
    return throttle && { ...throttle, retryLimit: throttle.retryLimit - 1 };
  },
};
