import type { resolveKeyless } from "#src/limiter/core/resolve/resolver.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof resolveKeyless> = {
  about: "an API without keys has its global limit alone",
  breaks: ["LIM-C12", "EPT-1"],
  replaces: "limiter/core/resolve/resolver.ts#resolveKeyless",
  by: (right, resolver, api, ...rest) => right(resolver, { ...api, table: null }, ...rest),
};
