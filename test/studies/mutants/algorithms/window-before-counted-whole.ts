import type { Mutant } from "#src/studies/mutants/mutant.ts";

type Inside = (startUs: number, perUs: number, nowUs: number) => number;

export const mutant: Mutant<Inside> = {
  about: "of two windows the older one counts in full until the newer one ends",
  breaks: ["ALG-C9"],
  replaces: "limiter/algorithms/sliding-window-counter/rule.ts#inside",
  by: (_right, _startUs, perUs) => perUs,
};
