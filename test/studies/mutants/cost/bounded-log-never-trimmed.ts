import type { trim } from "#src/limiter/algorithms/sliding-log/stamps.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof trim> = {
  about: "the bounded log keeps every attempt of its window",
  breaks: ["ALG-C9"],
  replaces: "limiter/algorithms/sliding-log/stamps.ts#trim",
  by: () => {},
};
