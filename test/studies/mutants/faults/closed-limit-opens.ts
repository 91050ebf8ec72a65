import type { Client } from "#src/limiter/core/client.ts";
import type { Limiter } from "#src/limiter/core/limiter.ts";
import type { Level } from "#src/limiter/core/store.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type LocalLevel = (limiter: Limiter, level: Level, client: Client, gateways: number) => Level;

export const mutant: Mutant<LocalLevel> = {
  about: "without the store a limit of 0 admits one on each gateway",
  breaks: ["ALG-C8", "LIM-C2"],
  replaces: "limiter/core/steps.ts#localLevel",
  by: (right, limiter, level, client, gateways) => {
    const local = right(limiter, level, client, gateways);
    return level.budget.limit.rate === 0 ? { ...local, capacity: 1 } : local;
  },
};
