import type { wait } from "#src/limiter/algorithms/sliding-window-counter/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof wait> = {
  about: "Retry-After of weighted windows ends a microsecond before the request would pass",
  breaks: ["HDR-C1", "ALG-C9"],
  replaces: "limiter/algorithms/sliding-window-counter/rule.ts#wait",
  by: (right, cells, row, rate, perUs, nowUs, units) =>
    Math.max(0, right(cells, row, rate, perUs, nowUs, units) - 1),
};
