import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { EmitExceeded } from "../private.ts";

export const mutant: Mutant<EmitExceeded> = {
  about: "a refusal by the quota is told as one by the rate",
  breaks: ["EVT-C1", "LIM-C9"],
  replaces: "gateway/events.ts#emitExceeded",
  by: (right, gateway, outcome, decision, nowUs) =>
    right(gateway, outcome, { ...decision, refused: "rate" }, nowUs),
};
