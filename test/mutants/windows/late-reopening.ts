import type { used } from "../../../src/core/algorithm/counter.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";

export const mutant: Mutant<typeof used> = {
  about: "a window is still open at the instant at which it ends",
  breaks: ["ALG-C3"],
  replaces: "core/algorithm/counter.ts#used",
  by: (right) => (cells, row, perUs, nowUs) => right(cells, row, perUs, nowUs - 1),
};
