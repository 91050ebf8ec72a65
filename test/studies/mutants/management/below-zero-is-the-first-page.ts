import type { pageOf } from "#src/gateway/management/families/fields.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof pageOf> = {
  about: "a negative page is the first one",
  breaks: ["MGT-4"],
  replaces: "gateway/management/families/fields.ts#pageOf",
  by: (right, p, size) => right(Math.max(0, p ?? 1), size),
};
