import type { wait } from "#src/limiter/algorithms/leaky-bucket/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof wait> = {
  about: "a leaky bucket lets one request less wait than its queue is long",
  breaks: ["ALG-C10"],
  replaces: "limiter/algorithms/leaky-bucket/rule.ts#wait",
  by: (right, cells, row, rate, places, ...more) =>
    right(cells, row, rate, Math.min(places, Math.max(1, places - 1)), ...more),
};
