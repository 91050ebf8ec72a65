import type { normalizePath } from "#src/gateway/path.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof normalizePath> = {
  about: "the query is a part of the path that is matched",
  breaks: ["EPT-C7"],
  replaces: "gateway/path.ts#normalizePath",
  by: (right, target) => {
    const query = target.indexOf("?");
    const path = right(target);
    return path === null || query < 0 ? path : `${path}${target.slice(query)}`;
  },
};
