import type { Mutant } from "#src/studies/mutants/mutant.ts";

type IsOpen = (cells: Float64Array, at: number, perUs: number, nowUs: number) => boolean;

export const mutant: Mutant<IsOpen> = {
  about: "a gateway whose clock is before the start of the shared window begins one of its own",
  breaks: ["ALG-C3"],
  found: "carbon-apimgt 13903",
  replaces: "limiter/algorithms/fixed-window/rule.ts#isOpen",
  by: (right, cells, at, perUs, nowUs) => nowUs >= cells[at]! && right(cells, at, perUs, nowUs),
};
