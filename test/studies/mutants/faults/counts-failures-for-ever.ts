import type { recordSuccess } from "#src/limiter/core/health.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof recordSuccess> = {
  about: "failures add up, though answers lie between them",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/health.ts#recordSuccess",
  by: (right, health, nowUs, expiryUs) => {
    const { failures } = health;
    const isBack = right(health, nowUs, expiryUs);
    if (failures < 5) health.failures = failures;
    return isBack;
  },
};
