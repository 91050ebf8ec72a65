import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { scheduleFault } from "#src/lab/sim/faults.ts";

export const mutant: Mutant<typeof scheduleFault> = {
  about: "a gateway that leaves responds to none of the requests that it still has",
  breaks: ["LIM-C18"],
  replaces: "lab/sim/faults.ts#scheduleFault",
  by: (right, engine, fault) =>
    right(engine, fault.kind === "gateway_leave" ? { ...fault, kind: "gateway_crash" } : fault),
};
