import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { GrantOf } from "../private.ts";

export const mutant: Mutant<GrantOf> = {
  about: "where some policy grants an API without a limit, own limits of others do not count",
  breaks: ["LIM-C6", "LIM-6"],
  replaces: "limiter/core/resolve/merge.ts#grantOf",
  by: (right, api, known, root, key) => {
    const bare = known.filter((policy) => policy.accessRights.get(api)?.limit === null);
    return right(api, bare.length > 0 && root !== null ? bare : known, root, key);
  },
};
