import type { chooseAlgorithm } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof chooseAlgorithm> = {
  about: "DRL by its threshold goes before the sentinel",
  breaks: ["ALG-C1"],
  replaces: "limiter/core/select.ts#chooseAlgorithm",
  by: (right, options, limit, gateways) => {
    const plain = right({ ...options, enableSentinelRateLimiter: false }, limit, gateways);
    return plain === "drl" ? plain : right(options, limit, gateways);
  },
};
