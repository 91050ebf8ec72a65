import type { JsonObject } from "#src/gateway/management/json.ts";
import type { Stored } from "#src/gateway/management/records/records.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(stored: Stored) => JsonObject> = {
  about: "whoever reads a key reads its secret",
  breaks: ["MGT-C10"],
  replaces: "gateway/management/admin/keys.ts#keyView",
  by: (right, stored) => ({ ...right(stored), key: stored.unique }),
};
