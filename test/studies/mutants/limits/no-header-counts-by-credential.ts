import type { senderIdentity } from "#src/limiter/core/resolve/identity.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof senderIdentity> = {
  about: "without the header the credential counts, not the address",
  breaks: ["LIM-C17"],
  replaces: "limiter/core/resolve/identity.ts#senderIdentity",
  by: (right, keyBy, sender, prefix) =>
    typeof keyBy === "object" && sender.header(keyBy.header) === null
      ? null
      : right(keyBy, sender, prefix),
};
