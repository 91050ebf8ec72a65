import type { governs } from "../../../../src/management/governing.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof governs> = {
  about: "a changed policy or API governs nobody until the gateway starts again",
  breaks: ["MGT-C5"],
  replaces: "management/governing.ts#governs",
  by: () => () => false,
};
