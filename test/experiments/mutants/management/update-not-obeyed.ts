import type { updateRecord } from "../../../../src/management/changes.ts";
import type { Management } from "../../../../src/management/management.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof updateRecord> = {
  about: "an update is answered, and the gateway is told nothing",
  breaks: ["MGT-C5"],
  replaces: "management/changes.ts#updateRecord",
  by: (right) => (management, kind, changing) => {
    const untold = { changed: () => Promise.resolve() };
    return right(Object.assign(Object.create(management) as Management, untold), kind, changing);
  },
};
