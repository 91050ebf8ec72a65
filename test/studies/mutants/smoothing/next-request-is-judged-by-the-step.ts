import { waitUnwritten } from "#src/limiter/algorithms/sliding-log/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import { currentWholeAllowance, type SMOOTHED_LOG } from "#src/limiter/store/smoothed-log.ts";

export const mutant: Mutant<(typeof SMOOTHED_LOG)["evaluate"]> = {
  about: "a step counts from the next request on, also where it is one with the judging",
  breaks: ["SMO-C2"],
  replaces: "limiter/store/smoothed-log.ts#SMOOTHED_LOG.evaluate",
  by: (right, one, atUs, written, units) => {
    const waitUs = right(one, atUs, written, units);
    const { table, row } = one;
    const before = waitUnwritten(
      table.stamps,
      row,
      currentWholeAllowance(one, atUs),
      table.perUs,
      atUs,
      units,
    );
    return waitUs === 0 ? before : waitUs;
  },
};
