import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";
import type { PLAIN_LOG } from "../../../../src/store/plain-log.ts";

export const mutant: Mutant<(typeof PLAIN_LOG)["judge"]> = {
  about: "Retry-After of a log leaves out that the refused attempt is written to it",
  breaks: ["HDR-C1", "ALG-3"],
  replaces: "store/plain-log.ts#PLAIN_LOG.judge",
  by: (right) => (one, atUs) => right(one, atUs, false),
};
