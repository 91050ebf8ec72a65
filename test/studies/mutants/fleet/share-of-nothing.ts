import type { shareOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof shareOf> = {
  about: "the share of a gateway is rate / n rounded down, also to 0",
  breaks: ["ALG-C4"],
  found: "tyk 1287",
  replaces: "limiter/core/select.ts#shareOf",
  by: (_right, rate, gateways) => Math.floor(rate / gateways),
};
