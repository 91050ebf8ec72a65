import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";
import type { SayExceeded } from "../private.ts";

export const mutant: Mutant<SayExceeded> = {
  about: "an event about a refusal does not name the key",
  breaks: ["EVT-C1"],
  replaces: "gateway/say.ts#sayExceeded",
  by:
    (right) =>
    (gateway, outcome, ...rest) =>
      right(gateway, { ...outcome, session: null }, ...rest),
};
