import type { recordSuccess } from "#src/limiter/core/health.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof recordSuccess> = {
  about: "a store that has failed is not used again, though it answers",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/health.ts#recordSuccess",
  by: (right, health, nowUs, expiryUs) => health.failures === 0 && right(health, nowUs, expiryUs),
};
