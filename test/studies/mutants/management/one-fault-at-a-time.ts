import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(problems: never) => readonly string[]> = {
  about: "of all the faults of a body the first is told",
  breaks: ["MGT-C1"],
  replaces: "gateway/management/interfaces.ts#linesOf",
  by: (right, problems) => right(problems).slice(0, 1),
};
