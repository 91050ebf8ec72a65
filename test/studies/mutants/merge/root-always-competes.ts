import { compareEffectiveRate } from "#src/limiter/core/limit.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { GrantOf } from "../private.ts";

export const mutant: Mutant<GrantOf> = {
  about: "the merged root competes for an API that nobody grants without a limit",
  breaks: ["LIM-C6"],
  replaces: "limiter/core/resolve/merge.ts#grantOf",
  by: (right, api, known, root, key) => {
    const grant = right(api, known, root, key);
    const isFaster =
      grant.own !== null && root !== null && compareEffectiveRate(root.limit, grant.own.limit) > 0;
    return isFaster ? { ...grant, own: null, drawsOnRoot: true } : grant;
  },
};
