import type { gatewaysKnown } from "../../../../src/core/health.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof gatewaysKnown> = {
  about: "the number of gateways is not frozen while heartbeats cannot travel",
  breaks: ["ALG-C8"],
  replaces: "core/health.ts#gatewaysKnown",
  by: () => (_health, heard) => heard,
};
