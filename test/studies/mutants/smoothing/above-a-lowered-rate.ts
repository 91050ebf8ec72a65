import type { settle } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof settle> = {
  about: "an allowance above a lowered rate stays where it is",
  breaks: ["SMO-2", "MGT-C5"],
  replaces: "limiter/core/smoothing.ts#settle",
  by: (right, rule, stored, attempts, perUs, nowUs) =>
    right(
      { ...rule, ceiling: Math.max(rule.ceiling, stored?.value ?? 0) },
      stored,
      attempts,
      perUs,
      nowUs,
    ),
};
