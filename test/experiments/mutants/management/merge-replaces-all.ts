import type { merged } from "../../../../src/management/merged.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof merged> = {
  about: "an update forgets what it leaves out",
  breaks: ["MGT-C5"],
  replaces: "management/merged.ts#merged",
  by: (right) => (_, body) => right({}, body),
};
