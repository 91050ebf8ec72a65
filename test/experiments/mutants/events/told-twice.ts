import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";
import type { SayExceeded } from "../private.ts";

export const mutant: Mutant<SayExceeded> = {
  about: "each refusal is told twice",
  breaks: ["EVT-C1"],
  replaces: "gateway/say.ts#sayExceeded",
  by:
    (right) =>
    (...said) => {
      right(...said);
      right(...said);
    },
};
