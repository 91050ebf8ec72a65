import { TWO_WINDOWS_WIDTH } from "#src/limiter/algorithms/sliding-window-counter/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type PreviousAt = (cells: Float64Array, at: number, perUs: number, startUs: number) => number;

export const mutant: Mutant<PreviousAt> = {
  about: "the count of a window that has long passed is still the window before",
  breaks: ["ALG-C9"],
  replaces: "limiter/algorithms/sliding-window-counter/rule.ts#previousAt",
  by: (right, cells, at, perUs, startUs) =>
    startUs === cells[at]! ? right(cells, at, perUs, startUs) : cells[at + TWO_WINDOWS_WIDTH - 1]!,
};
