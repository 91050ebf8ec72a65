import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(problems: readonly never[]) => void> = {
  about: "what the gateway could not obey is kept",
  breaks: ["MGT-C5"],
  replaces: "gateway/management/changes.ts#rejectInvalid",
  by: () => {},
};
