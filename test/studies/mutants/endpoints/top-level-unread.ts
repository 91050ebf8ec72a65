import type { PlacedObject } from "#src/limiter/world/place.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(place: PlacedObject) => readonly unknown[]> = {
  about: "extended_paths beside version_data are not read",
  breaks: ["EPT-3"],
  replaces: "limiter/world/classic.ts#readExtendedPaths",
  by: (right, place) => (place.path.includes("version_data") ? right(place) : []),
};
