import type { gatewayCount } from "#src/limiter/core/health.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof gatewayCount> = {
  about: "the number of gateways is not frozen while heartbeats cannot travel",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/health.ts#gatewayCount",
  by: (_right, _health, active) => active,
};
