import type { chooseAlgorithm } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof chooseAlgorithm> = {
  about: "the sentinel goes before the fixed window",
  breaks: ["ALG-C1"],
  replaces: "limiter/core/select.ts#chooseAlgorithm",
  by: (right, options, limit, gateways) => {
    const { enableSentinelRateLimiter: isOn, enableFixedWindowRateLimiter: isFixed } = options;
    return right({ ...options, enableFixedWindowRateLimiter: isFixed && !isOn }, limit, gateways);
  },
};
