import type { deleted } from "../../../../src/management/changes.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof deleted> = {
  about: "a deletion is answered, and the record stays",
  breaks: ["MGT-6"],
  replaces: "management/changes.ts#deleted",
  by: () => () => Promise.resolve(),
};
