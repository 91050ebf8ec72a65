import type { normalizePath } from "#src/gateway/path.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof normalizePath> = {
  about: "dot segments are matched as they are written",
  breaks: ["EPT-C7"],
  replaces: "gateway/path.ts#normalizePath",
  by: (right, target) => (/(?:^|\/)(?:\.|%2e)/i.test(target) ? target : right(target)),
};
