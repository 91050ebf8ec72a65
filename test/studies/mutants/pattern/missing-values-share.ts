import type { patternIdentity } from "#src/limiter/core/resolve/identity.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof patternIdentity> = {
  about: "clients whose pattern misses a value share one bucket",
  breaks: ["LIM-14"],
  replaces: "limiter/core/resolve/identity.ts#patternIdentity",
  by: (right, metaData) => {
    const hasPattern = typeof metaData["rate_limit_pattern"] === "string";
    return right(metaData) ?? (hasPattern ? "pattern:none" : null);
  },
};
