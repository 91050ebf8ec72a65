import type { Mutant } from "#src/studies/mutants/mutant.ts";
import { write } from "#src/limiter/algorithms/sliding-log/memory.ts";
import type { SMOOTHED_LOG } from "#src/limiter/store/smoothed-log.ts";

export const mutant: Mutant<(typeof SMOOTHED_LOG)["writeRefused"]> = {
  about: "a refused request does not lift the allowance",
  breaks: ["SMO-C2", "SMO-5"],
  replaces: "limiter/store/smoothed-log.ts#SMOOTHED_LOG.writeRefused",
  by: (_right, one, atUs, _, units) => write(one, atUs, units),
};
