import { hasFailed } from "../../../src/core/store.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";
import type { Sending } from "../../../src/sim/remote-store.ts";
import { perform } from "../../../src/store/memory.ts";

type Reach = (sending: Sending) => void;

export const mutant: Mutant<Reach> = {
  about:
    "counts are read when a request comes and written when its turn comes, whatever others have written meanwhile",
  breaks: ["ALG-C7", "LIM-C1"],
  found: "kong 5311",
  replaces: "sim/remote-store.ts#reach",
  by: (right) => (sending) => {
    const { op, engine, hear } = sending;
    if (op.op === "take" && op.intent === "spend") {
      const isAdmitted = perform(engine.remote.memory, { ...op, intent: "ask" }).refusedBy < 0;
      const asSeen: typeof hear = ({ answer }) => {
        if (isAdmitted && !hasFailed(answer)) Object.assign(answer, { refusedBy: -1, waitUs: 0 });
        hear(sending);
      };
      Object.assign(sending, { hear: asSeen });
    }
    right(sending);
  },
};
