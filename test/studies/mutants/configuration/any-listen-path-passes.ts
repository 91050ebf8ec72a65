import type { PlacedObject } from "#src/limiter/world/place.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(place: PlacedObject, name: string) => string | null> = {
  about: "a listen path is taken as it stands",
  breaks: ["EPT-C7"],
  replaces: "limiter/world/listen-path.ts#readListenPath",
  by: (_right, place, name) => String(place.raw[name]),
};
