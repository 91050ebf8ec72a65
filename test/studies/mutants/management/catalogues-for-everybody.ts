import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(management: never) => void> = {
  about: "a studio without the feature has catalogues all the same",
  breaks: ["MGT-2"],
  replaces: "gateway/management/studio/catalogues.ts#requireCatalogues",
  by: () => {},
};
