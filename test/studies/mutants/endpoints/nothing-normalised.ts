import type { normalizePath } from "#src/gateway/path.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof normalizePath> = {
  about: "a path is matched as it is written",
  breaks: ["EPT-C7"],
  replaces: "gateway/path.ts#normalizePath",
  by: (_right, target) => target.split("?", 1)[0]!,
};
