import type { listCatalogues } from "#src/gateway/management/studio/catalogues.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(typeof listCatalogues)["respond"]> = {
  about: "the studio lists the first page, whatever is asked for",
  breaks: ["MGT-C8"],
  replaces: "gateway/management/studio/catalogues.ts#listCatalogues.respond",
  by: (right, management, request) => right(management, { ...request, query: {} }),
};
