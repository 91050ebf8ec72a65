import type { PlacedObject } from "#src/limiter/world/place.ts";
import type { ReadContext } from "#src/limiter/world/references.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<
  (place: PlacedObject, known: ReadContext, name: string) => string | null
> = {
  about: "an access right for an API that nobody has is passed over in silence",
  breaks: ["LIM-6", "LIM-C2"],
  replaces: "limiter/world/access.ts#apiIn",
  by: (_right, _place, known, name) => known.apis.find(name),
};
