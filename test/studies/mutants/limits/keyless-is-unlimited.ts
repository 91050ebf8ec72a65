import type { resolveKeyless } from "#src/limiter/core/resolve/resolver.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof resolveKeyless> = {
  about: "an API without keys is not limited",
  breaks: ["LIM-C12", "LIM-7"],
  replaces: "limiter/core/resolve/resolver.ts#resolveKeyless",
  by: (right, ...args) => ({ ...right(...args), api: null }),
};
