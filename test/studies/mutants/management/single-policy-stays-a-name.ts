import type { JsonObject } from "#src/gateway/management/json.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type Under = (document: JsonObject, ids: ReadonlyMap<string, string>) => JsonObject;

export const mutant: Mutant<Under> = {
  about: "an import replaces names of policies by their ids in apply_policies alone",
  breaks: ["LIM-C7"],
  replaces: "gateway/management/import-world.ts#under",
  by: (right, document, ids) => {
    const single = document["apply_policy_id"];
    return {
      ...right(document, ids),
      ...(single === undefined ? {} : { apply_policy_id: single }),
    };
  },
};
