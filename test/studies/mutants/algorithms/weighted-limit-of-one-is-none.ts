import type { wait } from "#src/limiter/algorithms/sliding-window-counter/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof wait> = {
  about: "two weighted windows refuse what reaches the rate, so a limit of one admits nothing",
  breaks: ["ALG-C9", "LIM-1"],
  found: "upstash ratelimit-js 39",
  replaces: "limiter/algorithms/sliding-window-counter/rule.ts#wait",
  by: (right, cells, row, rate, perUs, nowUs, units) =>
    right(cells, row, rate - 0.000_001, perUs, nowUs, units),
};
