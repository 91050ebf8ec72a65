import type { PlacedObject } from "#src/limiter/world/place.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(operations: unknown, text: string, place: PlacedObject) => void> = {
  about: "of two operations with one id the first is taken in silence",
  breaks: ["EPT-4"],
  replaces: "limiter/world/oas.ts#declare",
  by: (right, operations, text, place) =>
    right(operations, text, { ...place, findings: { ...place.findings, problems: [] } }),
};
