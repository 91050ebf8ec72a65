import type { isOn } from "#src/limiter/world/endpoints.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isOn> = {
  about: "an entry that does not say enabled is off",
  breaks: ["EPT-C2"],
  replaces: "limiter/world/endpoints.ts#isOn",
  by: (_right, place) => place.raw["enabled"] === true,
};
