import type { Mutant } from "#src/studies/mutants/mutant.ts";

type EmitOfKey = (gateway: never, event: string, ...more: never[]) => void;

export const mutant: Mutant<EmitOfKey> = {
  about: "a key that asks for checks which nobody makes is refused without an event",
  breaks: ["MGT-C8"],
  replaces: "gateway/events.ts#emitOfKey",
  by: (right, gateway, event, ...more) => {
    if (event !== "AccessNotEnforced") right(gateway, event, ...more);
  },
};
