import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(...all: readonly never[]) => readonly never[]> = {
  about: "a body may give a record another id",
  breaks: ["MGT-C10"],
  replaces: "gateway/management/changes.ts#identityChanges",
  by: () => [],
};
