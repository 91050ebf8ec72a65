import type { sentence } from "#src/gateway/management/validate-record.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof sentence> = {
  about: "a fault does not say where it is",
  breaks: ["MGT-C1"],
  replaces: "gateway/management/validate-record.ts#sentence",
  by: (right, problem) => right({ ...problem, path: [] }),
};
