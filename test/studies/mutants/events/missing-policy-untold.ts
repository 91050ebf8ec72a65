import type { Mutant } from "#src/studies/mutants/mutant.ts";

type EmitOfKey = (gateway: never, event: string, ...more: never[]) => void;

export const mutant: Mutant<EmitOfKey> = {
  about: "an unknown policy causes no event",
  breaks: ["LIM-C7", "EVT-C1"],
  replaces: "gateway/events.ts#emitOfKey",
  by: (right, gateway, event, ...more) => {
    if (event !== "PolicyMissing") right(gateway, event, ...more);
  },
};
