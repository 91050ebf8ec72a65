import type { chooseAlgorithm } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof chooseAlgorithm> = {
  about: "the log is a script also where the non-transactional option is on",
  breaks: ["ALG-7"],
  replaces: "limiter/core/select.ts#chooseAlgorithm",
  by: (right, options, limit, gateways) =>
    right({ ...options, enableNonTransactionalRateLimiter: false }, limit, gateways),
};
