import type { mustMatch } from "../../../../src/management/if-match.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof mustMatch> = {
  about: "who means another version changes the record all the same",
  breaks: ["MGT-C5"],
  replaces: "management/if-match.ts#mustMatch",
  by: () => () => {},
};
