import type { Level } from "#src/limiter/core/store.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { MemoryStore } from "#src/limiter/store/memory.ts";
import type { BudgetTable } from "#src/limiter/store/table.ts";

type TableOf = (store: MemoryStore, level: Level) => BudgetTable;

export const mutant: Mutant<TableOf> = {
  about: "a key has one allowance for all its budgets",
  breaks: ["SMO-C7"],
  replaces: "limiter/store/memory.ts#tableOf",
  by: (right, store, level) => {
    const table = right(store, level);
    const [first] = [...store.tables.values()].filter(({ kind }) => kind === "log");
    if (table.kind === "log" && first?.kind === "log")
      Object.assign(table, { allowances: first.allowances });
    return table;
  },
};
