import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { SentOperation } from "#src/lab/sim/remote-store.ts";
import { perform } from "#src/limiter/store/memory.ts";

export const mutant: Mutant<(sending: SentOperation) => void> = {
  about: "counts are read as a request comes and written later, whoever wrote meanwhile",
  breaks: ["ALG-C7", "LIM-C1"],
  found: "kong 5311",
  replaces: "lab/sim/remote-store.ts#reach",
  by: (right, sending) => {
    const { op, engine, onResult } = sending;
    const look = op.op === "take" && perform(engine.remote.memory, { ...op, intent: "evaluate" });
    const asSeen: typeof onResult = ({ answer }) => {
      if (look && look.refusedBy < 0 && "waitUs" in answer) answer.refusedBy = -1;
      onResult(sending);
    };
    right(Object.assign(sending, { onResult: asSeen }));
  },
};
