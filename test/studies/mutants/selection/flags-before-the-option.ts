import type { chooseAlgorithm } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof chooseAlgorithm> = {
  about: "an enable flag goes before the option that names an algorithm",
  breaks: ["ALG-C9"],
  replaces: "limiter/core/select.ts#chooseAlgorithm",
  by: (right, options, limit, gateways) => {
    const isOn = options.enableFixedWindowRateLimiter || options.enableSentinelRateLimiter;
    return right(isOn ? { ...options, algorithm: null } : options, limit, gateways);
  },
};
