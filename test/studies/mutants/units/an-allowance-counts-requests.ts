import type { allowanceAfterWrite } from "#src/limiter/store/smoothed-log.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof allowanceAfterWrite> = {
  about: "the rate that moves an allowance counts a request as one unit",
  breaks: ["LIM-C19"],
  replaces: "limiter/store/smoothed-log.ts#allowanceAfterWrite",
  by: (right, bound, atUs) => right(bound, atUs, 1),
};
