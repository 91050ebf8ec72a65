import type { shareOf } from "#src/limiter/core/select.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof shareOf> = {
  about: "a limit of 0 has a share of one on each gateway",
  breaks: ["ALG-C4", "LIM-C2"],
  replaces: "limiter/core/select.ts#shareOf",
  by: (_right, rate, gateways) => Math.max(1, Math.floor(rate / gateways)),
};
