import { isObject } from "#src/limiter/world/place.ts";
import type { readSmoothing } from "#src/limiter/world/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof readSmoothing> = {
  about: "a smoothing object that does not say enabled is on",
  breaks: ["SMO-8", "SMO-C4"],
  replaces: "limiter/world/smoothing.ts#readSmoothing",
  by: (right, place, limit, limitFaulty) => {
    const own = place.raw["smoothing"];
    const raw = isObject(own) ? { ...place.raw, smoothing: { enabled: true, ...own } } : place.raw;
    return right({ ...place, raw }, limit, limitFaulty);
  },
};
