import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Fault } from "#src/lab/scenario/types.ts";
import { meanwhile, type Engine } from "#src/lab/sim/engine.ts";
import { forgetAll } from "#src/limiter/store/memory.ts";

type ScheduleFault = (engine: Engine, fault: Fault) => void;

export const mutant: Mutant<ScheduleFault> = {
  about: "a store that restarts makes every gateway forget its own counts",
  breaks: ["LIM-C11", "ALG-C4"],
  replaces: "lab/sim/faults.ts#scheduleFault",
  by: (right, engine, fault) => {
    const forget = (): void => engine.nodes.forEach(({ own }) => forgetAll(own));
    if (fault.kind === "store_restart") meanwhile(engine, fault.atUs, forget);
    right(engine, fault);
  },
};
