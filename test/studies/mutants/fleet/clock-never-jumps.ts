import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Fault } from "#src/lab/scenario/types.ts";
import type { Engine } from "#src/lab/sim/engine.ts";

type ScheduleFault = (engine: Engine, fault: Fault) => void;

export const mutant: Mutant<ScheduleFault> = {
  about: "a gateway goes by the clock that it started with, however that is set afterwards",
  breaks: ["ALG-C2", "ALG-C3"],
  replaces: "lab/sim/faults.ts#scheduleFault",
  by: (right, engine, fault) => {
    if (fault.kind !== "clock_skew") right(engine, fault);
  },
};
