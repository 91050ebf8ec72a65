import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { EmitExceeded } from "../private.ts";

export const mutant: Mutant<EmitExceeded> = {
  about: "an event about a refusal does not name the key",
  breaks: ["EVT-C1"],
  replaces: "gateway/events.ts#emitExceeded",
  by: (right, gateway, outcome, ...rest) => right(gateway, { ...outcome, session: null }, ...rest),
};
