import type { capacityOf } from "#src/limiter/core/limit.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof capacityOf> = {
  about: "a rate above 2,000 admits twice as much",
  breaks: ["LIM-1"],
  replaces: "limiter/core/limit.ts#capacityOf",
  by: (right, limit) => (limit.rate > 2_000 ? 2 : 1) * right(limit),
};
