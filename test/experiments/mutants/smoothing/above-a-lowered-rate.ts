import type { settle } from "../../../../src/core/smoothing.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof settle> = {
  about: "an allowance above a lowered rate stays where it is",
  breaks: ["SMO-2", "MGT-C5"],
  replaces: "core/smoothing.ts#settle",
  by: (right) => (rule, kept, attempts, perUs, nowUs) =>
    right(
      { ...rule, ceiling: Math.max(rule.ceiling, kept?.value ?? 0) },
      kept,
      attempts,
      perUs,
      nowUs,
    ),
};
