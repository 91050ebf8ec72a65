import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { EmitExceeded } from "../private.ts";

export const mutant: Mutant<EmitExceeded> = {
  about: "each refusal is told twice",
  breaks: ["EVT-C1"],
  replaces: "gateway/events.ts#emitExceeded",
  by: (right, ...args) => {
    right(...args);
    right(...args);
  },
};
