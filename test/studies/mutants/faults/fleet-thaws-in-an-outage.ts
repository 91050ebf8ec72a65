import type { recordFailure } from "#src/limiter/core/health.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof recordFailure> = {
  about: "the number of gateways thaws when it would have, also if the store has failed again",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/health.ts#recordFailure",
  by: (right, health, gateways, nowUs) => {
    const { thawAtUs } = health;
    const isFirst = right(health, gateways, nowUs);
    health.thawAtUs = thawAtUs;
    return isFirst;
  },
};
