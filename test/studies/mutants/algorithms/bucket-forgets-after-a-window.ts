import type { lastsUs } from "#src/limiter/algorithms/token-bucket/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof lastsUs> = {
  about: "a burst above the rate is forgotten a window after the last request",
  breaks: ["ALG-C9"],
  replaces: "limiter/algorithms/token-bucket/rule.ts#lastsUs",
  by: (_right, _rate, _burst, perUs) => perUs,
};
