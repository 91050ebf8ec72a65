import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Refuse } from "../private.ts";

export const mutant: Mutant<Refuse> = {
  about: "a request that the quota refuses is spent at the rate and at the API",
  breaks: ["LIM-C1"],
  replaces: "limiter/store/take.ts#refuse",
  by: (right, bound, refused, atUs, resetUs, intent, reply, units) => {
    right(bound, refused, atUs, resetUs, intent, reply, units);
    if (bound[refused]!.isQuota && intent !== "evaluate")
      for (const [index, one] of bound.slice(0, refused).entries())
        one.counting.spend(one, index, atUs, reply, units);
  },
};
