import type { readThrottle } from "#src/limiter/world/allotment.ts";
import { MILLISECOND } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof readThrottle> = {
  about: "a request looks again at once instead of after the interval",
  breaks: ["LIM-C9"],
  replaces: "limiter/world/allotment.ts#readThrottle",
  by: (right, place) => {
    const throttle = right(place);
    return throttle && { ...throttle, intervalUs: MILLISECOND };
  },
};
