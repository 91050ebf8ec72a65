import type { LogCommand, Reply } from "#src/limiter/core/store.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { MemoryStore } from "#src/limiter/store/memory.ts";

type Command = (store: MemoryStore, op: LogCommand, reply: Reply) => Reply;

export const mutant: Mutant<Command> = {
  about: "the pipeline compares the count before the attempt with the rate",
  breaks: ["LIM-1", "ALG-C6"],
  replaces: "limiter/store/memory.ts#performCommand",
  by: (right, store, op, reply) => {
    const answer = right(store, op, reply);
    if (op.op === "count") answer.count -= 1;
    return answer;
  },
};
