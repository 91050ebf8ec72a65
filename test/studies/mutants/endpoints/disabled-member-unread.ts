import type { isOn } from "#src/limiter/world/endpoints.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isOn> = {
  about: "disabled: true does not switch an entry off",
  breaks: ["EPT-C2"],
  replaces: "limiter/world/endpoints.ts#isOn",
  by: (_right, place) => place.raw["enabled"] !== false,
};
