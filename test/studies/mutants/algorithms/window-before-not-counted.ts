import type { Mutant } from "#src/studies/mutants/mutant.ts";

type Inside = (startUs: number, perUs: number, nowUs: number) => number;

export const mutant: Mutant<Inside> = {
  about: "of two weighted windows the older one counts nothing, which is a fixed window",
  breaks: ["ALG-C9"],
  found: "apisix 13704",
  replaces: "limiter/algorithms/sliding-window-counter/rule.ts#inside",
  by: () => 0,
};
