import type { userFoundBy } from "#src/gateway/management/families/user.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof userFoundBy> = {
  about: "a search finds no name that is written whole",
  breaks: ["MGT-C3"],
  replaces: "gateway/management/families/user.ts#userFoundBy",
  by: (right, document) => {
    const found = right(document);
    return { ...found, text: found.text.replaceAll(" ", "\n") };
  },
};
