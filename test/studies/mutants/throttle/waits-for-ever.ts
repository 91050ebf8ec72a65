import type { Throttle } from "#src/limiter/core/config.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(throttle: Throttle, retries: number, waitedUs: number) => boolean> = {
  about: "a request may wait for more than thirty seconds in all",
  breaks: ["LIM-C9"],
  replaces: "gateway/throttle.ts#canTryAgain",
  by: (_right, { retryLimit }, retries) => retries < retryLimit,
};
