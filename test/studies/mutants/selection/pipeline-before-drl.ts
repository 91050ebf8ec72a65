import type { chooseAlgorithm } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof chooseAlgorithm> = {
  about: "the pipelined log goes before DRL by its threshold",
  breaks: ["ALG-C1"],
  replaces: "limiter/core/select.ts#chooseAlgorithm",
  by: (right, options, limit, gateways) => {
    const { enableNonTransactionalRateLimiter: isOn, drlThreshold } = options;
    return right({ ...options, drlThreshold: isOn ? 0 : drlThreshold }, limit, gateways);
  },
};
