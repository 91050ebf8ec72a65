import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { MakeLevels } from "../private.ts";

export const mutant: Mutant<MakeLevels> = {
  about: "the quota is asked before the rate of the key",
  breaks: ["LIM-C1", "LIM-C9"],
  replaces: "limiter/core/limiter.ts#buildPrepared",
  by: (right, limiter, resolved, gateways) => {
    const { key, quota } = resolved;
    return { ...right(limiter, { ...resolved, key: quota, quota: key }, gateways), resolved };
  },
};
