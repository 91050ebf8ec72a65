import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { EmitExceeded } from "../private.ts";

export const mutant: Mutant<EmitExceeded> = {
  about: "a refusal causes no event",
  breaks: ["EVT-C1"],
  replaces: "gateway/events.ts#emitExceeded",
  by: () => {},
};
