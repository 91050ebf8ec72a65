import type { shareOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof shareOf> = {
  about: "a rate below the number of gateways is given out whole by each",
  breaks: ["ALG-C4"],
  replaces: "limiter/core/select.ts#shareOf",
  by: (right, rate, gateways) => (rate < gateways ? rate : right(rate, gateways)),
};
