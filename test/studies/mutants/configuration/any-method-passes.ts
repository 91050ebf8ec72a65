import type { PlacedObject } from "#src/limiter/world/place.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(place: PlacedObject, name: string) => string | null> = {
  about: "a method that nearly is one is accepted as it stands",
  breaks: ["EPT-1"],
  replaces: "limiter/world/endpoints.ts#methodIn",
  by: (_right, place, name) => String(place.raw[name]).toUpperCase(),
};
