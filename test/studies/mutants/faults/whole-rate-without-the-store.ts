import type { Client } from "#src/limiter/core/client.ts";
import type { Limiter } from "#src/limiter/core/limiter.ts";
import type { Level } from "#src/limiter/core/store.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type LocalLevel = (limiter: Limiter, level: Level, client: Client, gateways: number) => Level;

export const mutant: Mutant<LocalLevel> = {
  about: "without the store each gateway gives out the whole rate",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/steps.ts#localLevel",
  by: (right, limiter, level, client) => right(limiter, level, client, 1),
};
