import type { normalizePath } from "#src/gateway/path.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof normalizePath> = {
  about: "a backslash, encoded or not, separates segments like a slash",
  breaks: ["EPT-C7"],
  replaces: "gateway/path.ts#normalizePath",
  by: (right, target) => right(target.replaceAll(/%5c|\\/gi, "/")),
};
