import type { keyIdentity } from "#src/limiter/core/resolve/identity.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof keyIdentity> = {
  about: "keys are told apart by a hash of five bits",
  breaks: ["LIM-4"],
  replaces: "limiter/core/resolve/identity.ts#keyIdentity",
  by: (_right, keyId) => {
    let hash = 0;
    for (const character of keyId) hash = (hash * 31 + character.charCodeAt(0)) % 32;
    return `key:${hash}`;
  },
};
