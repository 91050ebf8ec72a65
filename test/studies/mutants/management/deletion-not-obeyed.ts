import type { deleteRecord } from "#src/gateway/management/changes.ts";
import type { Management } from "#src/gateway/management/management.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof deleteRecord> = {
  about: "a deletion gets its response, and the gateway does not apply it",
  breaks: ["MGT-C5"],
  replaces: "gateway/management/changes.ts#deleteRecord",
  by: (right, management, kind, deleting) => {
    // Its other members are those of the prototype: some are getters.
    const changed = { applyChanges: () => Promise.resolve() } satisfies Partial<Management>;
    const withoutEffect = Object.assign(Object.create(management) as Management, changed);
    return right(withoutEffect, kind, deleting);
  },
};
