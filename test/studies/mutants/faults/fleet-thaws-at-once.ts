import type { recordSuccess } from "#src/limiter/core/health.ts";
import { micros } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof recordSuccess> = {
  about: "the number of gateways is counted anew as soon as the store is back",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/health.ts#recordSuccess",
  by: (right, health, nowUs) => right(health, nowUs, micros(0)),
};
