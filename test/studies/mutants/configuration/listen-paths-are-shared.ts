import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<() => void> = {
  about: "two APIs may listen on one path",
  breaks: ["EPT-C1"],
  replaces: "limiter/world/read.ts#claim",
  by: () => {},
};
