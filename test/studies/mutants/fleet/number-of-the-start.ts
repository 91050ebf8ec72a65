import type { gatewaysAt, Limiter } from "#src/limiter/core/limiter.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

const first = new WeakMap<Limiter, number>();

export const mutant: Mutant<typeof gatewaysAt> = {
  about: "the number of gateways is that of the first request, whoever comes and goes",
  breaks: ["ALG-C4", "ALG-C1"],
  replaces: "limiter/core/limiter.ts#gatewaysAt",
  by: (right, limiter, nowUs) => {
    const known = first.get(limiter) ?? right(limiter, nowUs);
    first.set(limiter, known);
    return known;
  },
};
