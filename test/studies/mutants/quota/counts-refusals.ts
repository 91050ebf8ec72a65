import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Refuse } from "../private.ts";

export const mutant: Mutant<Refuse> = {
  about: "requests that the rate refuses count towards the quota",
  breaks: ["LIM-C9"],
  replaces: "limiter/store/take.ts#refuse",
  by: (right, bound, refused, atUs, resetUs, intent, reply, units) => {
    right(bound, refused, atUs, resetUs, intent, reply, units);
    const index = bound.findIndex((one) => one.isQuota);
    const quota = bound[index];
    if (index > refused && intent !== "evaluate")
      quota?.counting.spend(quota, index, atUs, reply, units);
  },
};
