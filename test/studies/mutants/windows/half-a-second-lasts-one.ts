import type { Mutant } from "#src/studies/mutants/mutant.ts";

type IsOpen = (cells: Float64Array, at: number, perUs: number, nowUs: number) => boolean;

export const mutant: Mutant<IsOpen> = {
  about: "a fixed window of half a second lasts a whole one",
  breaks: ["LIM-C3", "ALG-8"],
  replaces: "limiter/algorithms/fixed-window/rule.ts#isOpen",
  by: (right, cells, at, perUs, nowUs) =>
    right(cells, at, perUs === 500_000 ? 1_000_000 : perUs, nowUs),
};
