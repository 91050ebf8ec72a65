import type { Policy } from "#src/limiter/core/config.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type GrantOf = (
  api: string,
  known: readonly Policy[],
  ...others: readonly unknown[]
) => { unenforced: readonly string[] };

export const mutant: Mutant<GrantOf> = {
  about: "a signature that a policy asks for counts only where it also grants the access",
  breaks: ["MGT-C8"],
  replaces: "limiter/core/resolve/merge.ts#grantOf",
  by: (right, api, known, ...others) => {
    const granting = known.filter(({ supplies }) => supplies.access);
    return {
      ...right(api, known, ...others),
      unenforced: right(api, granting, ...others).unenforced,
    };
  },
};
