import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { balance } from "#src/lab/sim/balancer.ts";

export const mutant: Mutant<typeof balance> = {
  about: "a balancer still sends every other request to a gateway that has crashed",
  breaks: ["LIM-C18"],
  replaces: "lab/sim/balancer.ts#balance",
  by: (right, balancer, nodes, chance) => {
    const pick = right(balancer, nodes, chance);
    let picked = 0;
    return (client) => {
      const next = nodes[picked++ % nodes.length];
      return next?.serves === false ? null : pick(client);
    };
  },
};
