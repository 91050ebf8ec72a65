import { recordHeartbeat } from "#src/limiter/core/fleet.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Engine, Node } from "#src/lab/sim/engine.ts";

type Publish = (engine: Engine, node: Node) => void;

export const mutant: Mutant<Publish> = {
  about: "the heartbeats of gateways come through a store that is away",
  breaks: ["ALG-C8", "ALG-C4"],
  replaces: "lab/sim/heartbeats.ts#publish",
  by: (right, engine, from) => {
    right(engine, from);
    if (engine.remote.outages === 0) return;
    for (const { index, serves, gateway } of engine.nodes)
      if (index !== from.index && serves)
        recordHeartbeat(
          gateway.limiter.fleet,
          `gateway-${from.index}`,
          gateway.clock(),
          gateway.limiter.resolver.configuration.options.drlExpiryUs,
        );
  },
};
