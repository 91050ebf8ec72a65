import type { PLAIN_LOG } from "#src/limiter/algorithms/sliding-log/memory.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(typeof PLAIN_LOG)["writeRefused"]> = {
  about: "a log writes one unit for a refused request",
  breaks: ["LIM-C19", "ALG-3"],
  replaces: "limiter/algorithms/sliding-log/memory.ts#PLAIN_LOG.writeRefused",
  by: (right, bound, atUs, reply) => right(bound, atUs, reply, 1),
};
