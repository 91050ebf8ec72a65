import type { mustMatch } from "../../../../src/management/if-match.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof mustMatch> = {
  about: "If-Match: * matches no record",
  breaks: ["MGT-C5"],
  replaces: "management/if-match.ts#mustMatch",
  by: (right) => (ifMatch, stored) => right(ifMatch === "*" ? '"0"' : ifMatch, stored),
};
