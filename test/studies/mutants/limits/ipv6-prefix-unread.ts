import type { senderIdentity } from "#src/limiter/core/resolve/identity.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof senderIdentity> = {
  about: "an IPv6 network has 64 bits, whatever ipv6_prefix says",
  breaks: ["LIM-C17"],
  replaces: "limiter/core/resolve/identity.ts#senderIdentity",
  by: (right, keyBy, sender) => right(keyBy, sender, 64),
};
