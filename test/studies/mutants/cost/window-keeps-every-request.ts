import { COUNTER_WIDTH } from "#src/limiter/algorithms/fixed-window/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { sizeOf } from "#src/limiter/store/memory.ts";

export const mutant: Mutant<typeof sizeOf> = {
  about: "a fixed window keeps an entry for each request that it has counted",
  breaks: ["ALG-9"],
  replaces: "limiter/store/memory.ts#sizeOf",
  by: (right, store) => {
    const { budgets, entries } = right(store);
    const counted = [...store.tables.values()].flatMap((table) =>
      table.kind === "counter" || table.kind === "debt" ? [...table.cells] : [],
    );
    const counts = counted.filter((cell, index) => index % COUNTER_WIDTH === 1 && cell < 1e6);
    return { budgets, entries: entries + counts.reduce((sum, count) => sum + count, 0) };
  },
};
