import type { chooseAlgorithm } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof chooseAlgorithm> = {
  about: "the pipelined log goes before the sentinel",
  breaks: ["ALG-C1"],
  replaces: "limiter/core/select.ts#chooseAlgorithm",
  by: (right, options, limit, gateways) => {
    const { enableNonTransactionalRateLimiter: isOn, enableSentinelRateLimiter: isMarked } =
      options;
    return right({ ...options, enableSentinelRateLimiter: isMarked && !isOn }, limit, gateways);
  },
};
