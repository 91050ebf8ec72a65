import type { readQuota } from "#src/limiter/world/allotment.ts";
import { NEVER } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof readQuota> = {
  about: "a quota_max of 0 admits nothing instead of being off",
  breaks: ["LIM-C9"],
  replaces: "limiter/world/allotment.ts#readQuota",
  by: (right, place, unlimited) =>
    place.raw["quota_max"] === 0 ? { max: 0.5, renewalUs: NEVER } : right(place, unlimited),
};
