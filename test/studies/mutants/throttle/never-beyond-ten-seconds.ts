import type { Throttle } from "#src/limiter/core/config.ts";
import { SECOND } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(throttle: Throttle, retries: number, waitedUs: number) => boolean> = {
  about: "a request waits for ten seconds in all and no longer",
  breaks: ["LIM-C9"],
  replaces: "gateway/throttle.ts#canTryAgain",
  by: (right, throttle, retries, waitedUs) =>
    right(throttle, retries, waitedUs) && waitedUs < 10 * SECOND,
};
