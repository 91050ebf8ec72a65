import type { wait } from "../../../../src/core/algorithm/two-windows.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof wait> = {
  about: "Retry-After of weighted windows ends a microsecond before the request would pass",
  breaks: ["HDR-C1", "ALG-C9"],
  replaces: "core/algorithm/two-windows.ts#wait",
  by: (right) => (cells, row, rate, perUs, nowUs) =>
    Math.max(0, right(cells, row, rate, perUs, nowUs) - 1),
};
