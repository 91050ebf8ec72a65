import { networkOf } from "#src/limiter/core/address.ts";
import type { senderIdentity } from "#src/limiter/core/resolve/identity.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof senderIdentity> = {
  about: "all IPv4 addresses of one /24 are one client",
  breaks: ["LIM-C17"],
  found: "limiters that cut every address to a network",
  replaces: "limiter/core/resolve/identity.ts#senderIdentity",
  by: (right, keyBy, sender, prefix) => {
    const bytes = sender.address.split(".").map(Number);
    const address =
      bytes.length === 4 ? networkOf(Uint8Array.from(bytes), 24).join(".") : sender.address;
    return right(keyBy, { ...sender, address }, prefix);
  },
};
