import { micros } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { PLAIN_LOG } from "#src/limiter/algorithms/sliding-log/memory.ts";

export const mutant: Mutant<(typeof PLAIN_LOG)["evaluate"]> = {
  about: "an attempt counts while it is exactly one window old",
  breaks: ["ALG-C2"],
  replaces: "limiter/algorithms/sliding-log/memory.ts#PLAIN_LOG.evaluate",
  by: (right, one, atUs, written, units) => right(one, micros(atUs - 1), written, units),
};
