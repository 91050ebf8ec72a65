import type { sayChanges } from "../../../../src/gateway/say.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof sayChanges> = {
  about: "each change of an allowance is told twice",
  breaks: ["EVT-1"],
  replaces: "gateway/say.ts#sayChanges",
  by: (right) => (gateway, found, changes) => {
    right(gateway, found, changes);
    right(gateway, found, changes);
  },
};
