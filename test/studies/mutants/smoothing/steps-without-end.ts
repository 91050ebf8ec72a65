import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(rate: number, threshold: number, step: number) => boolean> = {
  about: "however many steps lie between threshold and rate, the configuration is accepted",
  breaks: ["SMO-C4"],
  replaces: "limiter/world/smoothing.ts#areTooManySteps",
  by: () => false,
};
