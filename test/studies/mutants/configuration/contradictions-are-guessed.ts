import type { isOn } from "#src/limiter/world/endpoints.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isOn> = {
  about: "an entry that is both enabled and disabled is off, and nothing is said of it",
  breaks: ["EPT-C2"],
  replaces: "limiter/world/endpoints.ts#isOn",
  by: (right, place) => right({ ...place, findings: { ...place.findings, problems: [] } }),
};
