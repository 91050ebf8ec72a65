import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";
import type { SayExceeded } from "../private.ts";

export const mutant: Mutant<SayExceeded> = {
  about: "a refusal causes no event",
  breaks: ["EVT-C1"],
  replaces: "gateway/say.ts#sayExceeded",
  by: () => () => {},
};
