import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { GrantOf } from "../private.ts";

export const mutant: Mutant<GrantOf> = {
  about: "a limit for the API itself wins, also where the merged root is faster",
  breaks: ["LIM-C6"],
  replaces: "limiter/core/resolve/merge.ts#grantOf",
  by: (right, api, known, root, key) => {
    const own = known.filter((policy) => (policy.accessRights.get(api)?.limit ?? null) !== null);
    return right(api, own.length > 0 ? own : known, root, key);
  },
};
