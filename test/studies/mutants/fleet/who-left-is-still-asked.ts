import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { balance } from "#src/lab/sim/balancer.ts";

export const mutant: Mutant<typeof balance> = {
  about: "a balancer goes on sending to a gateway that has gone",
  breaks: ["ALG-C4"],
  replaces: "lab/sim/balancer.ts#balance",
  by: (_right, _balancer, nodes) => {
    let turn = 0;
    return () => nodes[turn++ % nodes.length] ?? null;
  },
};
