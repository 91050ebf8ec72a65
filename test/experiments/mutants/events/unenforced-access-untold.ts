import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

type SayOfKey = (gateway: never, event: string, ...more: never[]) => void;

export const mutant: Mutant<SayOfKey> = {
  about: "a key that asks for checks which nobody makes is refused without an event",
  breaks: ["MGT-C8"],
  replaces: "gateway/route.ts#emitOfKey",
  by:
    (right) =>
    (gateway, event, ...more) => {
      if (event !== "AccessNotEnforced") right(gateway, event, ...more);
    },
};
