import type { Mutant } from "#src/studies/mutants/mutant.ts";

type IsOpen = (cells: Float64Array, at: number, perUs: number, nowUs: number) => boolean;

export const mutant: Mutant<IsOpen> = {
  about: "a window that is no whole number of seconds still holds its last instant",
  breaks: ["ALG-C3", "LIM-C3"],
  replaces: "limiter/algorithms/fixed-window/rule.ts#isOpen",
  by: (right, cells, at, perUs, nowUs) =>
    right(cells, at, perUs % 1_000_000 === 0 ? perUs : perUs + 1, nowUs),
};
