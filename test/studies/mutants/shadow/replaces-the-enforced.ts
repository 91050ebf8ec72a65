import type { Limit } from "#src/limiter/core/limit.ts";
import type { PlacedObject } from "#src/limiter/world/place.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(place: PlacedObject, limit: Limit | null) => Limit | null> = {
  about: "a shadow limit ends the search for the one that is enforced",
  breaks: ["LIM-C13"],
  replaces: "limiter/world/limit.ts#markShadow",
  by: (right, place, limit) => {
    const read = right(place, limit);
    return read?.shadow === true ? { rate: -1, perUs: read.perUs, smoothing: null } : read;
  },
};
