import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<() => void> = {
  about: "nothing is said of members that have no effect",
  breaks: ["MGT-C5", "LIM-13"],
  replaces: "limiter/world/place.ts#reportUnused",
  by: () => {},
};
