import type { etagOf } from "#src/gateway/management/if-match.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof etagOf> = {
  about: "every version of a record has the same tag",
  breaks: ["MGT-C5"],
  replaces: "gateway/management/if-match.ts#etagOf",
  by: (right, stored) => right({ ...stored, version: 1 }),
};
