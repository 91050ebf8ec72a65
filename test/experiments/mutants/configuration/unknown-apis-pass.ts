import type { PlacedObject } from "../../../../src/world/place.ts";
import type { ReadContext } from "../../../../src/world/references.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<
  (place: PlacedObject, known: ReadContext, name: string) => string | null
> = {
  about: "an access right for an API that nobody has is passed over in silence",
  breaks: ["LIM-6", "LIM-C2"],
  replaces: "world/access.ts#apiIn",
  by: () => (_place, known, name) => known.apis.find(name),
};
