import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { balance } from "#src/lab/sim/balancer.ts";

const ROUND = { kind: "round_robin" } as const;

export const mutant: Mutant<typeof balance> = {
  about: "a balancer that is to be sticky sends requests in turn",
  breaks: ["ALG-C4"],
  replaces: "lab/sim/balancer.ts#balance",
  by: (right, { kind }, nodes, random) =>
    right({ kind: kind === "sticky" ? "round_robin" : kind } as typeof ROUND, nodes, random),
};
