import type { settle } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof settle> = {
  about: "falls that came due while nobody called are forgotten",
  breaks: ["SMO-6", "SMO-C6"],
  replaces: "limiter/core/smoothing.ts#settle",
  by: (right, rule, stored, _newest, perUs, nowUs) =>
    right(rule, stored, () => Number.POSITIVE_INFINITY, perUs, nowUs),
};
