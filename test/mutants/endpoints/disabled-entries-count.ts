import type { isOn } from "../../../src/core/read/endpoints.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";

export const mutant: Mutant<typeof isOn> = {
  about: "an entry that is switched off counts like any other",
  breaks: ["EPT-7"],
  replaces: "core/read/endpoints.ts#isOn",
  by: () => () => true,
};
