import type { pagesOf } from "#src/gateway/management/families/fields.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof pagesOf> = {
  about: "a page that is not full is not counted",
  breaks: ["MGT-C3"],
  replaces: "gateway/management/families/fields.ts#pagesOf",
  by: (right, listed, page) =>
    page === null ? right(listed, page) : Math.floor(listed.total / page.size),
};
