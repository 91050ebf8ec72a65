import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { BudgetTable } from "#src/limiter/store/table.ts";

type Sweep = (table: BudgetTable, nowUs: number) => void;

export const mutant: Mutant<Sweep> = {
  about: "what a client has left behind is never dropped",
  breaks: ["ALG-8"],
  replaces: "limiter/store/table.ts#sweep",
  by: () => {},
};
