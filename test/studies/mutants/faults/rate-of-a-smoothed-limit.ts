import type { Client } from "#src/limiter/core/client.ts";
import type { Limiter } from "#src/limiter/core/limiter.ts";
import type { Level } from "#src/limiter/core/store.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type WholeWithoutStore = (limiter: Limiter, level: Level, client: Client) => number;

export const mutant: Mutant<WholeWithoutStore> = {
  about: "without the store a smoothed limit is its rate",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/steps.ts#totalWithoutStore",
  by: (right, limiter, level, client) => right(limiter, { ...level, rule: null }, client),
};
