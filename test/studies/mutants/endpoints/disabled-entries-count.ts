import type { isOn } from "#src/limiter/world/endpoints.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isOn> = {
  about: "an entry that is switched off counts like any other",
  breaks: ["EPT-7"],
  replaces: "limiter/world/endpoints.ts#isOn",
  by: () => true,
};
