import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<() => void> = {
  about: "parts of a rate_limit_pattern that mean nothing are accepted",
  breaks: ["LIM-C8"],
  replaces: "limiter/world/allotment.ts#checkRateLimitPattern",
  by: () => {},
};
