import type { recordSuccess } from "#src/limiter/core/health.ts";
import { NEVER } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof recordSuccess> = {
  about: "the number of gateways stays frozen after an outage",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/health.ts#recordSuccess",
  by: (right, health, nowUs) => right(health, nowUs, NEVER),
};
