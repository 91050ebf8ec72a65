import type { shadowsMet } from "#src/gateway/shadow.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof shadowsMet> = {
  about: "a shadow limit counts nothing",
  breaks: ["LIM-C13"],
  replaces: "gateway/shadow.ts#shadowsMet",
  by: () => null,
};
