import type { readThrottle } from "#src/limiter/world/allotment.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof readThrottle> = {
  about: "a request that its key refuses never waits",
  breaks: ["LIM-C9"],
  replaces: "limiter/world/allotment.ts#readThrottle",
  by: () => null,
};
