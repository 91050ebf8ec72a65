import type { senderIdentity } from "#src/limiter/core/resolve/identity.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof senderIdentity> = {
  about: "each address of an IPv6 network is a client of its own",
  breaks: ["LIM-C17"],
  found: "limiters that take the address as a text",
  replaces: "limiter/core/resolve/identity.ts#senderIdentity",
  by: (right, keyBy, sender) => right(keyBy, sender, 128),
};
