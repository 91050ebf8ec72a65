import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";
import type { SENTINEL } from "../../../../src/store/sentinel.ts";

export const mutant: Mutant<(typeof SENTINEL)["judge"]> = {
  about: "Retry-After of the sentinel leaves out the mark that the refused attempt will set",
  breaks: ["HDR-C1", "ALG-3"],
  replaces: "store/sentinel.ts#SENTINEL.judge",
  by: (right) => (one, atUs) => right(one, atUs, false),
};
