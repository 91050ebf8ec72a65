import type { requireText } from "#src/limiter/world/values.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof requireText> = {
  about: "an entry without a path is left out in silence",
  breaks: ["EPT-C1"],
  replaces: "limiter/world/values.ts#requireText",
  by: (right, place, name) =>
    right({ ...place, findings: { ...place.findings, problems: [] } }, name),
};
