import type { updateRecord } from "../../../../src/management/changes.ts";
import type { Management } from "../../../../src/management/management.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof updateRecord> = {
  about: "an update gets its response, and the gateway does not apply it",
  breaks: ["MGT-C5"],
  replaces: "management/changes.ts#updateRecord",
  by: (right) => (management, kind, changing) => {
    // Its other members are those of the prototype: some are getters.
    const changed = { applyChanges: () => Promise.resolve() } satisfies Partial<Management>;
    const withoutEffect = Object.assign(Object.create(management) as Management, changed);
    return right(withoutEffect, kind, changing);
  },
};
