import type { capacityOf } from "#src/limiter/core/limit.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof capacityOf> = {
  about: "a fractional rate is rounded to the nearest whole number",
  breaks: ["LIM-C2"],
  replaces: "limiter/core/limit.ts#capacityOf",
  by: (_right, limit) => Math.round(limit.rate),
};
