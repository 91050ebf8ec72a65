import type { Mutant } from "#src/studies/mutants/mutant.ts";
import { currentWholeAllowance, type SMOOTHED_LOG } from "#src/limiter/store/smoothed-log.ts";

export const mutant: Mutant<(typeof SMOOTHED_LOG)["limit"]> = {
  about: "the limit that is shown is the allowance of the last write, without the falls since then",
  breaks: ["MGT-C11", "HDR-C2"],
  replaces: "limiter/store/smoothed-log.ts#SMOOTHED_LOG.limit",
  by: (_right, ...args) => currentWholeAllowance(...args),
};
