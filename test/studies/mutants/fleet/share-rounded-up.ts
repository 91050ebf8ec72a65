import type { shareOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof shareOf> = {
  about: "the share of a gateway is rounded up",
  breaks: ["ALG-C4"],
  replaces: "limiter/core/select.ts#shareOf",
  by: (_right, rate, gateways) => Math.ceil(rate / gateways),
};
