import type { Mutant } from "../../../src/mutants/mutant.ts";
import type { Fault } from "../../../src/scenario/types.ts";
import type { Engine } from "../../../src/sim/engine.ts";
import { meanwhile } from "../../../src/sim/engine.ts";
import { forgetAll } from "../../../src/store/memory.ts";

type Arrange = (engine: Engine, fault: Fault) => void;

export const mutant: Mutant<Arrange> = {
  about: "a store that restarts makes every gateway forget its own counts",
  breaks: ["LIM-C11", "ALG-C4"],
  replaces: "sim/simulate.ts#arrange",
  by: (right) => (engine, fault) => {
    if (fault.kind === "store_restart")
      meanwhile(engine, fault.atUs, () => {
        for (const { own } of engine.nodes) forgetAll(own);
      });
    right(engine, fault);
  },
};
