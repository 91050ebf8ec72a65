import { isObject } from "#src/limiter/world/place.ts";
import type { readSmoothing } from "#src/limiter/world/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof readSmoothing> = {
  about: "a trigger above 1 is taken for 1, and nothing says so",
  breaks: ["SMO-C4"],
  replaces: "limiter/world/smoothing.ts#readSmoothing",
  by: (right, place, limit, limitFaulty) => {
    const own = place.raw["smoothing"];
    const isHigh = isObject(own) && Number(own["trigger"]) > 1;
    const raw = isHigh ? { ...place.raw, smoothing: { ...own, trigger: 1 } } : place.raw;
    return right({ ...place, raw }, limit, limitFaulty);
  },
};
