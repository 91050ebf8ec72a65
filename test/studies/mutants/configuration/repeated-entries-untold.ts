import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<() => void> = {
  about: "nothing is said of an entry that is never reached",
  breaks: ["EPT-3"],
  replaces: "limiter/world/endpoints.ts#warnRepeated",
  by: () => {},
};
