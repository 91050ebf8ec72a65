import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";
import type { PLAIN_LOG } from "../../../../src/store/plain-log.ts";

export const mutant: Mutant<(typeof PLAIN_LOG)["writeRefused"]> = {
  about: "a log writes what it admits and nothing else",
  breaks: ["ALG-3"],
  replaces: "store/plain-log.ts#PLAIN_LOG.writeRefused",
  by: () => () => {},
};
