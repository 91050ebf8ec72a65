import type { patternIdentity } from "#src/limiter/core/resolve/identity.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof patternIdentity> = {
  about: "only the first part of a pattern counts",
  breaks: ["LIM-11", "LIM-C8"],
  replaces: "limiter/core/resolve/identity.ts#patternIdentity",
  by: (right, metaData) => {
    const pattern = metaData["rate_limit_pattern"];
    const first = typeof pattern === "string" ? pattern.split("|")[0] : pattern;
    return right({ ...metaData, rate_limit_pattern: first });
  },
};
