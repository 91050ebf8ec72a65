import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Refuse } from "../private.ts";

export const mutant: Mutant<Refuse> = {
  about: "a request that waits is spent at the other levels with every look",
  breaks: ["LIM-C9", "LIM-C1"],
  replaces: "limiter/store/take.ts#refuse",
  by: (right, bound, refused, atUs, resetUs, intent, reply, units) => {
    right(bound, refused, atUs, resetUs, intent, reply, units);
    if (intent === "try")
      for (const [index, one] of bound.entries())
        if (index !== refused) one.counting.spend(one, index, atUs, reply, units);
  },
};
