import type { capacityOf } from "#src/limiter/core/limit.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof capacityOf> = {
  about: "a window admits one request more than its rate",
  breaks: ["LIM-1", "LIM-C11"],
  replaces: "limiter/core/limit.ts#capacityOf",
  by: (right, limit) => right(limit) + 1,
};
