import type { patternIdentity } from "#src/limiter/core/resolve/identity.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof patternIdentity> = {
  about: "the parts of a pattern are joined by a bar that values may hold too",
  breaks: ["LIM-C8"],
  replaces: "limiter/core/resolve/identity.ts#patternIdentity",
  by: (right, metaData) => {
    const identity = right(metaData);
    if (identity === null) return null;
    return `pattern:${(JSON.parse(identity.slice("pattern:".length)) as string[]).join("|")}`;
  },
};
