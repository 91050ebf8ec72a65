import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { noteAllowances } from "#src/lab/sim/gauges.ts";

export const mutant: Mutant<typeof noteAllowances> = {
  about:
    "a budget shows an allowance by the gateways there are, not by those that its gateway knows of",
  breaks: ["SMO-2"],
  replaces: "lab/sim/gauges.ts#noteAllowances",
  by: (right, engine, outcome) => right(engine, outcome, engine.nodes.length),
};
