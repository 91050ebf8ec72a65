import type { patternIdentity } from "#src/limiter/core/resolve/identity.ts";
import { keyIdentity } from "#src/limiter/core/resolve/identity.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof patternIdentity> = {
  about: "a pattern whose only part says the id of a key counts with that key",
  breaks: ["LIM-C8"],
  replaces: "limiter/core/resolve/identity.ts#patternIdentity",
  by: (right, metaData) => {
    const identity = right(metaData);
    const parts = JSON.parse(identity?.slice("pattern:".length) ?? "[]") as string[];
    return parts.length === 1 ? keyIdentity(parts[0]!) : identity;
  },
};
