import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { balance } from "#src/lab/sim/balancer.ts";

export const mutant: Mutant<typeof balance> = {
  about: "every request goes to the first gateway that serves",
  breaks: ["ALG-C4"],
  replaces: "lab/sim/balancer.ts#balance",
  by: (_right, _balancer, nodes) => () => nodes.find((node) => node.serves) ?? null,
};
