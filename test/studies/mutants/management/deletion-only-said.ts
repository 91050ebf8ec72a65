import type { deleteRecord } from "#src/gateway/management/changes.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof deleteRecord> = {
  about: "a deletion is answered, and the record stays",
  breaks: ["MGT-6"],
  replaces: "gateway/management/changes.ts#deleteRecord",
  by: () => Promise.resolve(),
};
