import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";
import type { take } from "../../../../src/store/take.ts";

export const mutant: Mutant<typeof take> = {
  about: "each request that passes is counted twice",
  breaks: ["LIM-1"],
  found: "spring-cloud-gateway 2788",
  replaces: "store/take.ts#take",
  by: (right) => (bound, asking, atUs, intent, reply) => {
    const said = right(bound, asking, atUs, intent, reply);
    if (said.refusedBy < 0 && intent !== "evaluate")
      for (const [index, one] of bound.entries()) one.counting.spend(one, index, atUs, said);
    return said;
  },
};
