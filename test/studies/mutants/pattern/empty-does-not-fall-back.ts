import type { patternIdentity } from "#src/limiter/core/resolve/identity.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof patternIdentity> = {
  about: "a pattern that comes out empty is one identity for all of its clients",
  breaks: ["LIM-12"],
  replaces: "limiter/core/resolve/identity.ts#patternIdentity",
  by: (right, metaData) => {
    const pattern = metaData["rate_limit_pattern"];
    const isEmpty = typeof pattern === "string" && pattern.replaceAll("|", "") === "";
    return isEmpty ? "pattern:" : right(metaData);
  },
};
