import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { take } from "#src/limiter/store/take.ts";

export const mutant: Mutant<typeof take> = {
  about: "each request that passes is counted twice",
  breaks: ["LIM-1"],
  found: "spring-cloud-gateway 2788",
  replaces: "limiter/store/take.ts#take",
  by: (right, bound, client, atUs, intent, reply, units) => {
    const result = right(bound, client, atUs, intent, reply, units);
    if (result.refusedBy < 0 && intent !== "evaluate")
      for (const [index, one] of bound.entries())
        one.counting.spend(one, index, atUs, result, units);
    return result;
  },
};
