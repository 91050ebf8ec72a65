import type { JsonObject } from "../../../../src/management/json.ts";
import type { Stored } from "../../../../src/management/records/records.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<(stored: Stored) => JsonObject> = {
  about: "whoever reads a key reads its secret",
  breaks: ["MGT-C10"],
  replaces: "management/admin/keys.ts#keyView",
  by: (right) => (stored) => ({ ...right(stored), key: stored.unique }),
};
