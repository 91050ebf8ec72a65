import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<() => void> = {
  about: "nothing is said of an allowance that is not the rate",
  breaks: ["LIM-8"],
  replaces: "limiter/world/limit.ts#checkAllowance",
  by: () => {},
};
