import type { patternIdentity } from "#src/limiter/core/resolve/identity.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof patternIdentity> = {
  about: "the parts of a pattern run together in the identity",
  breaks: ["LIM-C8"],
  replaces: "limiter/core/resolve/identity.ts#patternIdentity",
  by: (right, metaData) => {
    const identity = right(metaData);
    if (identity === null) return null;
    return `pattern:${(JSON.parse(identity.slice("pattern:".length)) as string[]).join("")}`;
  },
};
