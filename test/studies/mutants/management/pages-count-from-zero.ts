import type { pageOf } from "#src/gateway/management/families/fields.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof pageOf> = {
  about: "page 1 is the second one",
  breaks: ["MGT-C3"],
  replaces: "gateway/management/families/fields.ts#pageOf",
  by: (right, p, size) => right(p === undefined || p < 0 ? p : p + 1, size),
};
