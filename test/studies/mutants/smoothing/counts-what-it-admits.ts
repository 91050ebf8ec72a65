import type { Mutant } from "#src/studies/mutants/mutant.ts";
import { storeAllowance, type SMOOTHED_LOG } from "#src/limiter/store/smoothed-log.ts";

export const mutant: Mutant<(typeof SMOOTHED_LOG)["writeRefused"]> = {
  about: "refused attempts do not count in the measured rate",
  breaks: ["SMO-3", "ALG-3"],
  replaces: "limiter/store/smoothed-log.ts#SMOOTHED_LOG.writeRefused",
  by: (_right, one, atUs, reply) => {
    if (one.moved !== null) storeAllowance(one, one.moved, atUs, reply);
  },
};
