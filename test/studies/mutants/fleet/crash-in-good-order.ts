import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Fault } from "#src/lab/scenario/types.ts";
import type { Engine } from "#src/lab/sim/engine.ts";

type ScheduleFault = (engine: Engine, fault: Fault) => void;

export const mutant: Mutant<ScheduleFault> = {
  about: "a gateway that crashes still answers what it has under way",
  breaks: ["LIM-C12"],
  replaces: "lab/sim/faults.ts#scheduleFault",
  by: (right, engine, fault) =>
    right(engine, fault.kind === "gateway_crash" ? { ...fault, kind: "gateway_leave" } : fault),
};
