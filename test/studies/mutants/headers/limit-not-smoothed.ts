import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { SMOOTHED_LOG } from "#src/limiter/store/smoothed-log.ts";

export const mutant: Mutant<(typeof SMOOTHED_LOG)["limit"]> = {
  about: "a smoothed client is told its rate and not its allowance",
  breaks: ["HDR-C2"],
  replaces: "limiter/store/smoothed-log.ts#SMOOTHED_LOG.limit",
  by: (_right, { level }) => level.capacity,
};
