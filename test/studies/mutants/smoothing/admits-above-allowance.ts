import { waitWritten } from "#src/limiter/algorithms/sliding-log/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { SMOOTHED_LOG } from "#src/limiter/store/smoothed-log.ts";

export const mutant: Mutant<(typeof SMOOTHED_LOG)["evaluate"]> = {
  about: "requests above the allowance pass as long as the rate admits them",
  breaks: ["SMO-5"],
  replaces: "limiter/store/smoothed-log.ts#SMOOTHED_LOG.evaluate",
  by: (right, one, atUs, written, units) => {
    const { table, row, level } = one;
    right(one, atUs, written, units);
    return waitWritten(table.stamps, row, level.capacity, table.perUs, atUs, units);
  },
};
