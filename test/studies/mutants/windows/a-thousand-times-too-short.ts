import type { Mutant } from "#src/studies/mutants/mutant.ts";

type IsOpen = (cells: Float64Array, at: number, perUs: number, nowUs: number) => boolean;

export const mutant: Mutant<IsOpen> = {
  about: "the length of a window is taken for milliseconds, so that each is over at once",
  breaks: ["LIM-1", "ALG-8"],
  replaces: "limiter/algorithms/fixed-window/rule.ts#isOpen",
  by: (right, cells, at, perUs, nowUs) => right(cells, at, perUs / 1_000, nowUs),
};
