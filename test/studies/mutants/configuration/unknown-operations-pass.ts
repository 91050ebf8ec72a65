import type { PlacedObject } from "#src/limiter/world/place.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(place: PlacedObject, ...rest: readonly unknown[]) => unknown> = {
  about: "a limit for an operation that no path declares is left out in silence",
  breaks: ["EPT-C4"],
  replaces: "limiter/world/oas.ts#readLimitedOperations",
  by: (right, place, ...rest) =>
    right({ ...place, findings: { ...place.findings, problems: [] } }, ...rest),
};
