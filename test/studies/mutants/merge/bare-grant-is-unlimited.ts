import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { GrantOf } from "../private.ts";

export const mutant: Mutant<GrantOf> = {
  about: "a grant without any limit beats the limit that another policy has for the API",
  breaks: ["LIM-C6", "LIM-C4"],
  replaces: "limiter/core/resolve/merge.ts#grantOf",
  by: (right, api, known, root, key) => {
    const isBare = known.some((policy) => policy.accessRights.get(api)?.limit === null);
    const grant = right(api, known, root, key);
    return isBare && root === null ? { ...grant, own: null, drawsOnRoot: true } : grant;
  },
};
