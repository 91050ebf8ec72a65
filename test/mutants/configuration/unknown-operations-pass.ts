import type { Place } from "../../../src/core/read/place.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";

export const mutant: Mutant<(place: Place, ...rest: readonly unknown[]) => unknown> = {
  about: "a limit for an operation that no path declares is left out in silence",
  breaks: ["EPT-C4"],
  replaces: "core/read/oas.ts#limitedOperations",
  by:
    (right) =>
    (place, ...rest) =>
      right({ ...place, findings: { ...place.findings, problems: [] } }, ...rest),
};
