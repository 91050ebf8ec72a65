import type { merged } from "../../../../src/management/merged.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof merged> = {
  about: "an explicit null leaves a member as it is",
  breaks: ["MGT-C5"],
  replaces: "management/merged.ts#merged",
  by: (right) => (document, body) =>
    right(document, Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))),
};
