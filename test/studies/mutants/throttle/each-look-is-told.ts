import type { emitChanges } from "#src/gateway/events.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof emitChanges> = {
  about: "each refusal of a request that waits causes an event, and not only the last",
  breaks: ["LIM-C9"],
  replaces: "gateway/events.ts#emitChanges",
  by: (right, gateway, found, changes) => {
    right(gateway, found, changes);
    if (changes.length > 0) return; // a reply moved it; without a step only a waiting request gets here
    const key = found.session?.key.id ?? null;
    const fields = { key, api: null, budget: null, value: null, path: null };
    gateway.limiter.emit?.({ event: "RatelimitExceeded", stampUs: gateway.clock(), ...fields });
  },
};
