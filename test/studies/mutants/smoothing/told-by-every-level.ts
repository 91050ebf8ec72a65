import type { emitChanges } from "#src/gateway/events.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof emitChanges> = {
  about: "each change of an allowance is told twice",
  breaks: ["EVT-1"],
  replaces: "gateway/events.ts#emitChanges",
  by: (right, gateway, found, changes) => {
    right(gateway, found, changes);
    right(gateway, found, changes);
  },
};
