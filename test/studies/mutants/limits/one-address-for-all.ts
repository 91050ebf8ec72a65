import type { senderIdentity } from "#src/limiter/core/resolve/identity.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof senderIdentity> = {
  about: "with key_by ip all clients are one: the address of the proxy in front counts",
  breaks: ["LIM-C17"],
  found: "gateways behind a balancer whose trusted proxies are not set",
  replaces: "limiter/core/resolve/identity.ts#senderIdentity",
  by: (right, keyBy, sender, prefix) => right(keyBy, { ...sender, address: "10.0.0.1" }, prefix),
};
