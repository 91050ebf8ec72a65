import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { PLAIN_LOG } from "#src/limiter/algorithms/sliding-log/memory.ts";

export const mutant: Mutant<(typeof PLAIN_LOG)["writeRefused"]> = {
  about: "a log writes what it admits and nothing else",
  breaks: ["ALG-3"],
  replaces: "limiter/algorithms/sliding-log/memory.ts#PLAIN_LOG.writeRefused",
  by: () => {},
};
