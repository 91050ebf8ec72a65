import { isObject } from "#src/limiter/world/place.ts";
import type { readSmoothing } from "#src/limiter/world/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof readSmoothing> = {
  about: "smoothing acts also where enabled is false",
  breaks: ["SMO-8"],
  replaces: "limiter/world/smoothing.ts#readSmoothing",
  by: (right, place, limit, limitFaulty) => {
    const own = place.raw["smoothing"];
    const isSound = isObject(own) && own["enabled"] === false && own["threshold"] !== 99;
    const raw = isSound ? { ...place.raw, smoothing: { ...own, enabled: true } } : place.raw;
    return right({ ...place, raw }, limit, limitFaulty);
  },
};
