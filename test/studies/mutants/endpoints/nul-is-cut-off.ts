import type { normalizePath } from "#src/gateway/path.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof normalizePath> = {
  about: "a path ends at an encoded NUL",
  breaks: ["EPT-C7"],
  replaces: "gateway/path.ts#normalizePath",
  by: (right, target) => right(target.split("%00", 1)[0]!),
};
