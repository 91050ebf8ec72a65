import type { Level } from "#src/limiter/core/store.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { MemoryStore } from "#src/limiter/store/memory.ts";
import type { BudgetTable } from "#src/limiter/store/table.ts";

type TableOf = (store: MemoryStore, level: Level) => BudgetTable;

export const mutant: Mutant<TableOf> = {
  about: "every limit is counted with the window of the first one that was asked",
  breaks: ["LIM-C10", "ALG-C3"],
  found: "kong 12003",
  replaces: "limiter/store/memory.ts#tableOf",
  by: (right, store, level) => {
    const kind = level.traits.state;
    return [...store.tables.values()].find((table) => table.kind === kind) ?? right(store, level);
  },
};
