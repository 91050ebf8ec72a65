import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(text: string) => unknown[]> = {
  about: "of a member that is there twice the last one counts",
  breaks: ["MGT-C1"],
  replaces: "gateway/management/json.ts#strictProblemsIn",
  by: () => [],
};
