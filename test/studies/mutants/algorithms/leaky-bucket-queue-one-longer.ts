import type { wait } from "#src/limiter/algorithms/leaky-bucket/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof wait> = {
  about: "a leaky bucket lets one more request wait than its queue is long",
  breaks: ["ALG-C10"],
  replaces: "limiter/algorithms/leaky-bucket/rule.ts#wait",
  by: (right, cells, row, rate, places, ...more) =>
    right(cells, row, rate, places < 1 ? places : places + 1, ...more),
};
