import type { patternIdentity } from "#src/limiter/core/resolve/identity.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof patternIdentity> = {
  about: "a rate_limit_pattern has no effect",
  breaks: ["LIM-11"],
  replaces: "limiter/core/resolve/identity.ts#patternIdentity",
  by: () => null,
};
