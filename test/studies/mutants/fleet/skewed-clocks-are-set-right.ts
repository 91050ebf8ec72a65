import type { Gateway } from "#src/gateway/gateway.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Engine, Node } from "#src/lab/sim/engine.ts";

type NewGateway = (engine: Engine, node: Node) => Gateway;

export const mutant: Mutant<NewGateway> = {
  about: "stamps are those of the right time instead of the gateway's own clock",
  breaks: ["ALG-C2", "ALG-C3"],
  replaces: "lab/sim/engine.ts#newGateway",
  by: (right, engine, node) => right(engine, { ...node, skewUs: 0 }),
};
