import type { Rng } from "#src/kit/chance/rng.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { BalancedGateway } from "#src/lab/sim/balancer.ts";

type Weighted = <Node extends BalancedGateway>(
  candidates: readonly Node[],
  random: Rng,
) => Node | null;

export const mutant: Mutant<Weighted> = {
  about: "a weighted balancer sends to all gateways alike",
  breaks: ["ALG-C4"],
  replaces: "lab/sim/balancer.ts#pickByWeight",
  by: (_right, candidates, random) => candidates[random.int(candidates.length)] ?? null,
};
