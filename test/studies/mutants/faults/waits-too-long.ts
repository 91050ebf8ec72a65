import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { send } from "#src/lab/sim/remote-store.ts";

export const mutant: Mutant<typeof send> = {
  about: "a store that is slow is waited for longer than store_timeout",
  breaks: ["ALG-C8"],
  replaces: "lab/sim/remote-store.ts#send",
  by: (right, engine, op, timeoutUs, asker, onReply) =>
    right(engine, op, timeoutUs * 2, asker, onReply),
};
